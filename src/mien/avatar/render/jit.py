"""How kernels are compiled. Importing this module imports numba: only kernels and their tests do."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

from mien.avatar.render import cache
from mien.errors import require

P = ParamSpec("P")
R = TypeVar("R")

os.environ.setdefault(cache.VARIABLE, str(cache.folder()))
os.environ.setdefault(
    "NUMBA_SLP_VECTORIZE", "1"
)  # columns of a vertex, channels of a texel: an eighth faster
_numba: Any = require("numba", extra="video")
# numba reads the variables when it is imported, which another module may have done before.
_numba.config.CACHE_DIR = _numba.config.CACHE_DIR or os.environ[cache.VARIABLE]
_numba.config.SLP_VECTORIZE = int(os.environ["NUMBA_SLP_VECTORIZE"])
# Kernels allocate nothing; without numba's runtime (_nrt) they do not count references to their arrays,
# which costs more than the arithmetic.
_OPTIONS = {"nogil": True, "error_model": "numpy", "_nrt": False}
_KEEP = cache.writable(cache.folder())


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile on first use, cache on disk, run without the GIL; no NaN, no infinity comes in or out."""
    return cast("Callable[P, R]", _numba.njit(**_OPTIONS, cache=_KEEP, fastmath=True)(function))


def exact_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Like `kernel`, in IEEE arithmetic: two triangles then agree on the edge that they share."""
    return cast("Callable[P, R]", _numba.njit(**_OPTIONS, cache=_KEEP)(function))


def inline(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a part of a kernel, which becomes a part of the code of every kernel that calls it."""
    return cast("Callable[P, R]", _numba.njit(**_OPTIONS, forceinline=True, fastmath=True)(function))


def exact_inline(function: Callable[P, R]) -> Callable[P, R]:
    """Like `inline`, for an `exact_kernel`."""
    return cast("Callable[P, R]", _numba.njit(**_OPTIONS, forceinline=True)(function))
