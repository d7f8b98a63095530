"""Where compiled kernels are kept."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from mien import packs

VARIABLE = "NUMBA_CACHE_DIR"


def folder() -> Path:
    """Return the folder of compiled kernels: one for each state of their source, because numba
    does not notice that a kernel changed when only a function that it calls did.
    """
    if chosen := os.environ.get(VARIABLE):
        return Path(chosen)
    digest = hashlib.sha256()
    here = Path(__file__).parent
    for source in sorted([*here.glob("*.py"), *here.glob("kernels/*.py")]):
        digest.update(source.read_bytes())
        digest.update(str(source.stat().st_mtime_ns).encode())  # numba compiles again when it changes
    return packs.home() / "numba" / digest.hexdigest()[:12]


def writable(path: Path) -> bool:
    """Return whether `path` is, or can be made, a folder to write in."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(path, os.W_OK | os.X_OK)


def marker() -> Path:
    """Return the file that says that everything was compiled by this Python, this numba, for this CPU."""
    try:
        numba = version("numba")
    except PackageNotFoundError:
        numba = "none"
    return folder() / f"mien-{numba}-{sys.implementation.cache_tag}-{platform.machine()}.ready"
