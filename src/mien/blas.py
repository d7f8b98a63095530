"""NumPy's products in one thread: OpenBLAS's go on spinning after each, while models need the cores."""

from __future__ import annotations

from collections.abc import MutableMapping

VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def keep_to_one_thread(environ: MutableMapping[str, str]) -> None:
    """Tell OpenBLAS so in a process that has not imported NumPy yet, unless its user said otherwise.

    OpenMP and MKL are left alone: PyTorch, where it is a yardstick, computes with them.
    """
    if not environ.keys() & set(VARIABLES):
        environ["OPENBLAS_NUM_THREADS"] = "1"
