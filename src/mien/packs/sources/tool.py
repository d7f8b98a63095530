"""Running a download tool (pip, npm) and watching what it brings."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

Seen = Callable[[int], None]
"""Called with the bytes of an archive that are here so far."""

_LOOK_S = 0.25


def run(command: Sequence[str], folder: Path, seen: Seen) -> tuple[int, str]:
    """Run `command`, which writes to `folder`; returns its exit status and all that it said.

    Its temporary files lie in `folder` too, so that they need no room on another disk and their size
    tells how far it is. It is ended when this process is interrupted.
    """
    temporary = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))
    with subprocess.Popen(
        command,
        env=os.environ | temporary,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        try:
            return _watch(process, folder, seen)
        except BaseException:
            process.kill()
            raise


def _watch(process: subprocess.Popen[str], folder: Path, seen: Seen) -> tuple[int, str]:
    while True:
        try:
            said, _ = process.communicate(timeout=_LOOK_S)
        except subprocess.TimeoutExpired:
            seen(_size(folder))
        else:
            return process.returncode, said


def _size(folder: Path) -> int:
    """Return the size of the largest file: the archive, while it grows and while it is copied."""
    sizes = [0]
    for root, _, names in os.walk(folder):
        for name in names:
            try:
                sizes.append(os.stat(f"{root}/{name}").st_size)  # noqa: PTH116 (may vanish at any time)
            except FileNotFoundError:
                continue
    return max(sizes)
