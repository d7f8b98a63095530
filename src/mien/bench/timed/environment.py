"""What figures depend on: machine, libraries, and what was asked of them."""

from __future__ import annotations

import os
from importlib.metadata import PackageNotFoundError, version
from typing import Final

import mien
from mien.bench.figures import machine
from mien.engine.runtime.memory import levels

_LIBRARIES: Final = ("numpy", "onnxruntime", "openvino", "numba", "av", "websockets")
_VARIABLES: Final = ("OMP_NUM_THREADS", "MIEN_HOME", "MIEN_H264_ENCODER", "NUMBA_NUM_THREADS")


def environment() -> dict[str, str]:
    """Return the machine, memory, versions and variables that matter, by name."""
    told = {name: str(value) for name, value in machine().items()}
    limits = [level.limit_bytes for level in levels()]
    if limits:
        told["memory"] = f"{min(limits) / 2**30:.1f} GiB"
    told["mien"] = mien.__version__
    told |= {name: found for name in _LIBRARIES if (found := _version(name))}
    return told | {name: "set" for name in _VARIABLES if name in os.environ}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
