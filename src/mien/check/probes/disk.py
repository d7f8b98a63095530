"""The disk under mien's folder, and the folder for temporary files."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import Final

from mien.check.place import Place
from mien.check.result import Result, failed, ok, warning
from mien.home import home

_BLOCK: Final = bytes(1 << 20)
_BLOCKS: Final = 16
_LEAST_GB: Final = 0.5
_GOOD_GB: Final = 3.0  # all packs, their downloads, engines and heads
_SLOW_MB_S: Final = 20.0


def disk(_: Place) -> Result:
    """Write, flush and remove a file in mien's folder."""
    return _tried(home(), "export MIEN_HOME=/a/folder/of/yours", _GOOD_GB)


def temporary(_: Place) -> Result:
    """Write, flush and remove a file where films are made."""
    try:
        folder = Path(tempfile.gettempdir())
    except FileNotFoundError:
        return failed("no folder for temporary files can be written", "export TMPDIR=/a/folder/of/yours")
    return _tried(folder, "export TMPDIR=/a/folder/of/yours", _LEAST_GB)


def _tried(folder: Path, elsewhere: str, good_gb: float) -> Result:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        speed = _speed(folder)
        free = shutil.disk_usage(folder).free / 1e9
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        return failed(f"{folder} can not be written: {reason}", elsewhere)
    line = f"{free:.0f} GB free, written at {speed:.0f} MB/s"
    if free < _LEAST_GB:
        return failed(f"{line}: {folder} is nearly full", f"du -xh {folder} | sort -h | tail; {elsewhere}")
    if free < good_gb:
        return warning(f"{line}; all packs take {good_gb:g} GB", f"mien engines prune; {elsewhere}")
    if speed < _SLOW_MB_S:
        return warning(f"{line}: models load slowly from {folder}", elsewhere)
    return ok(line, str(folder))


def _speed(folder: Path) -> float:
    """Return how fast a file is written and flushed, in MB/s."""
    with tempfile.TemporaryFile(dir=folder) as file:
        began = time.perf_counter()
        for _ in range(_BLOCKS):
            file.write(_BLOCK)
        file.flush()
        os.fsync(file.fileno())
        return _BLOCKS * len(_BLOCK) / 1e6 / max(time.perf_counter() - began, 1e-9)
