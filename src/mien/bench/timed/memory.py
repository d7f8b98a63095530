"""Memory over ten rounds: what is resident after each, how much of the heap is holes, and whether it grows.

A round loads two engines, runs them with changing sizes, draws some pictures and gives everything back, all
in a process of its own, so that nothing else's memory is counted.
"""

from __future__ import annotations

import ctypes
import gc
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Final

import numpy as np

import mien.engine
from mien.avatar import Avatar, load
from mien.avatar.render import SoftwareRenderer
from mien.bench.render import poses
from mien.bench.timed.budget import Budget, Taken
from mien.bench.timed.material import TEXT, VOCODER, latent
from mien.bench.timed.plots import Curves, Panel
from mien.bench.timed.result import Result
from mien.bench.timed.statistics import slope
from mien.engine.runtime.memory import resident_bytes
from mien.errors import ResourceError
from mien.progress import Progress

ROUNDS: Final = 10
WARM: Final = 2  # rounds in which libraries take what they keep
LENGTHS: Final = (40, 130, 64, 300, 52, 96)


def run(budget: Budget, result: Result, tell: Progress) -> None:
    """Let a process make its rounds; `ROUNDS`, or as many as there is time for."""
    command = [sys.executable, "-m", __name__, str(ROUNDS)]
    rows: list[dict[str, float]] = []
    with (
        tempfile.TemporaryFile("w+") as complaints,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=complaints, text=True) as process,
    ):
        try:
            assert process.stdout is not None
            for line in process.stdout:
                rows.append(json.loads(line))
                tell("rounds", len(rows) / ROUNDS)
                if budget.is_over and len(rows) > WARM + 3:
                    break
        finally:
            process.terminate()
    if len(rows) <= WARM:
        raise ResourceError(
            "the process that measures memory ended early; try: python -m mien.bench.timed.memory 3"
        )
    show(result, rows)


def show(result: Result, rows: list[dict[str, float]]) -> None:
    """Add what is resident, what is fragmented, and the slope over the rounds after the first ones."""
    resident = [row["resident"] for row in rows]
    growth = slope(resident[WARM:])
    result.add(
        "resident after a round", "MB", Taken(resident[WARM:], resident[:WARM]), group="Resident memory"
    )
    result.fact("growth a round (Theil and Sen)", growth.value, "MB")
    result.fact("its interval", f"{growth.low:.2f} to {growth.high:.2f}", "MB")
    leaks = growth.low > 0
    result.fact(
        "leak", "yes: the whole interval is above zero" if leaks else "none that can be told from noise"
    )
    panels = [Panel("Resident", "MB", {"after a round": tuple(enumerate(resident, 1))})]
    if any(row["holes"] for row in rows):
        holes = [100 * row["holes"] for row in rows]
        result.add("holes in the heap", "%", Taken(holes[WARM:], holes[:WARM]), group="Fragmentation")
        panels.append(Panel("Holes in the heap", "%", {"after a round": tuple(enumerate(holes, 1))}))
    result.plots.append(Curves("Memory, round by round", "round", tuple(panels), (WARM, "warm from here")))
    if len(rows) < ROUNDS:
        result.notes.append(f"{len(rows)} of {ROUNDS} rounds: there was no time for more")


def rounds(count: int) -> Iterator[dict[str, float]]:
    """Do the work `count` times; yield megabytes resident and the share of the heap that is free."""
    whole, avatar = latent(max(LENGTHS)), load("joe")
    for _ in range(count):
        _round(whole, avatar)
        gc.collect()
        yield {"resident": (resident_bytes() or 0) / 1e6, "holes": holes()}


def _round(whole: np.ndarray, avatar: Avatar) -> None:
    mien.engine.load(TEXT)
    engine = mien.engine.load(VOCODER)
    for length in LENGTHS:
        engine.run(latent=np.ascontiguousarray(whole[:, :, :length]))
    with SoftwareRenderer(avatar, (512, 512)) as renderer:
        for planes in renderer.frames_yuv(poses(5)):
            del planes


def holes() -> float:
    """Return the share of the C library's heap that is free but not given back; 0 where it does not tell."""
    try:
        told = ctypes.CDLL(None).mallinfo2
    except (AttributeError, OSError, TypeError):
        return 0.0
    told.restype = _Heap
    heap = told()
    whole = heap.arena + heap.hblkhd
    return float(heap.fordblks / whole) if whole else 0.0


class _Heap(ctypes.Structure):
    """glibc's `struct mallinfo2`."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            "arena", "ordblks", "smblks", "hblks", "hblkhd",
            "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost",
        )
    ]  # fmt: skip


if __name__ == "__main__":
    for row in rounds(int(sys.argv[1])):
        sys.stdout.write(json.dumps(row) + "\n")
        sys.stdout.flush()
