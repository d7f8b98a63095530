"""All benches, one process each, sharing a given time: what `mien bench all` does."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from mien.bench.timed import files
from mien.bench.timed.benches import BENCHES, Bench
from mien.bench.timed.budget import Clock
from mien.bench.timed.files import Report
from mien.bench.timed.result import Result
from mien.errors import MienError, ResourceError
from mien.progress import Progress, silent

RESERVE_S: Final = 4.0  # for the report
SCARCE: Final = 0.7  # of what a bench needs: with less it is not begun
GRACE_S: Final = 8.0  # beyond its share, before a bench is interrupted
_LEAVING_S: Final = 5.0

Start = Callable[[str, float], Result]


def chosen(seconds: float, benches: Sequence[Bench] = tuple(BENCHES.values())) -> list[Bench]:
    """Return the benches that fit into the time: those with the most weight are taken first."""
    taken: list[Bench] = []
    for each in sorted(benches, key=lambda bench: -bench.weight):
        if sum(other.least_s for other in taken) + each.least_s <= seconds:
            taken.append(each)
    return [each for each in benches if each in taken]


def share_of(bench: Bench, rest: Sequence[Bench], left_s: float) -> float:
    """Return the seconds of a bench that `rest` comes after: what it needs, and its share of the rest."""
    every = [bench, *rest]
    free = max(0.0, left_s - sum(each.least_s for each in every))
    return bench.least_s + free * bench.weight / sum(each.weight for each in every)


def run(
    report: Report,
    seconds: float,
    *,
    save: Callable[[], None],
    tell: Progress = silent,
    start: Start | None = None,
    clock: Clock = time.monotonic,
) -> None:
    """Fill a report within `seconds`; `save` is called after each bench, so that nothing is lost.

    What a bench that fails says is in `left_out`, its name in `failed`. `KeyboardInterrupt` comes through
    when the bench that ran has told what it had.
    """
    start, began = start or _process, clock()
    report.asked_s = seconds
    left = chosen(seconds - RESERVE_S)
    for bench in BENCHES.values():
        if bench not in left:
            why = f"it needs {bench.least_s:g} s at least, and {seconds:g} s are not enough for all"
            report.left_out.append((bench.name, why))
    while left:
        bench, *left = left
        left_s = seconds - RESERVE_S - (clock() - began)
        if left_s < SCARCE * bench.least_s:
            report.left_out.append(
                (bench.name, f"{max(0.0, left_s):.0f} s were left, for the others took longer")
            )
            continue
        share = min(left_s, share_of(bench, left, left_s))
        tell(f"{bench.name}, {share:.0f} s", (clock() - began) / seconds)
        stopped = _ran(report, start, bench, share)
        report.took_s = clock() - began
        save()
        if stopped:
            raise KeyboardInterrupt


def _ran(report: Report, start: Start, bench: Bench, share_s: float) -> bool:
    """Run one bench and keep what it tells; return whether the user wants to stop."""
    try:
        report.results.append(start(bench.name, share_s))
    except StoppedError as error:
        report.results += [error.result] if error.result is not None else []
        return True
    except MienError as error:
        report.left_out.append((bench.name, str(error)))
        report.failed.append(bench.name)
    return False


class StoppedError(Exception):
    """The user wants to stop; `result`: what the bench that ran had until then."""

    def __init__(self, result: Result | None) -> None:
        super().__init__()
        self.result = result


def _process(name: str, seconds: float) -> Result:
    """Run one bench in a process of its own: the command that a user would type."""
    with tempfile.TemporaryDirectory(prefix="mien-bench-") as folder:
        out = Path(folder) / "result.json"
        words = ["bench", name, "--seconds", f"{seconds:.0f}", "-o", str(out)]
        process = subprocess.Popen(
            [sys.executable, "-m", "mien", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        try:
            complaint = process.communicate(timeout=seconds + GRACE_S)[1]
        except subprocess.TimeoutExpired:
            complaint = _interrupted(process)
        except KeyboardInterrupt:
            complaint = _interrupted(process)
            raise StoppedError(files.read(out).results[0] if out.is_file() else None) from None
        return _read(out, complaint, name)


def _interrupted(process: subprocess.Popen[str]) -> str:
    """Ask a process to write what it has; end it when it does not."""
    process.send_signal(signal.SIGINT)
    try:
        return process.communicate(timeout=_LEAVING_S)[1]
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return "it did not end in time"


def _read(out: Path, complaint: str, name: str) -> Result:
    if out.is_file():
        return files.read(out).results[0]
    told = complaint.strip().splitlines()
    last = next((line for line in reversed(told) if line.startswith("mien: ")), "".join(told[-1:]))
    raise ResourceError(f"{last.removeprefix('mien: ') or 'it told nothing'}; try: mien bench {name}")
