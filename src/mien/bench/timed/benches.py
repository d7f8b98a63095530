"""The benches by name: what each measures, how much of the time it gets and what it needs at least."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from mien.bench.timed.budget import Budget
from mien.bench.timed.environment import environment
from mien.bench.timed.noise import Listener
from mien.bench.timed.result import Result
from mien.errors import InputError, nearest
from mien.progress import Progress, silent


@dataclass(frozen=True, slots=True)
class Bench:
    """`weight`: its share of the time; `least_s`: seconds below which it has nothing to say."""

    name: str
    title: str
    weight: float
    least_s: float


Run = Callable[[Budget, Result, Progress], None]

# In the order in which `mien bench all` runs them; the last ones can use whatever time is left.
BENCHES: Final = {
    each.name: each
    for each in (
        Bench("startup", "From nothing to the first sound and picture", 1.0, 6.0),
        Bench("say", "Voices and films", 1.3, 8.0),
        Bench("live", "From the last word to the answer", 1.6, 25.0),
        Bench("transport", "From connecting to the first frame", 1.2, 12.0),
        Bench("render", "Drawing the face", 1.0, 5.0),
        Bench("chain", "A camera's picture through two backends", 0.8, 4.0),
        Bench("fallback", "What it costs when an engine is set aside", 0.8, 5.0),
        Bench("memory", "Memory over ten rounds", 0.8, 8.0),
        Bench("batch", "Requests in batches", 0.8, 4.0),
        Bench("engine", "Models on this machine's backends", 1.0, 6.0),
    )
}


def measure(name: str, seconds: float, command: str = "", tell: Progress = silent) -> Result:
    """Run one bench within its seconds; when it is interrupted what it had is returned, marked as incomplete.

    Raises `InputError` for no such bench, and what the bench raises.
    """
    if name not in BENCHES:
        raise InputError(f"no bench {name!r}{nearest(name, BENCHES)}")
    run: Run = importlib.import_module(f"mien.bench.timed.{name}").run
    result = Result(name, BENCHES[name].title, command, seconds, environment=environment())
    listener, began = Listener(), time.monotonic()
    try:
        run(Budget(seconds), result, tell)
        result.complete = True
    except KeyboardInterrupt:
        result.notes.append("ended before it was through (time was over, or Ctrl-C): what it had by then")
    result.took_s = time.monotonic() - began
    result.noise = listener.heard()
    return result
