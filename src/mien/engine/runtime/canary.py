"""A new engine beside the old one on the same inputs: good enough to take over?"""

from __future__ import annotations

import queue
import random
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from mien.engine import manifest as manifests
from mien.engine.engine import Engine, Tensor
from mien.engine.metrics import Metric, concerned, metric, within
from mien.engine.runtime.share import Inputs, Share, Verdict
from mien.engine.search import Budget
from mien.errors import InputError, MienError, MissingError

_WAITING = 4  # requests
ORDINARY = Budget("rel-error", 1e-3)  # where the engine's manifest states none


class Comparer:
    """Holds a new engine's outputs against the old one's within a budget."""

    def __init__(self, new: Engine, budget: Budget, rate_hz: int | None = None) -> None:
        self._new, self._budget, self._rate_hz = new, budget, rate_hz
        self._metrics: dict[str, Metric] = {}
        self.count = 0

    def add(self, inputs: Inputs, wanted: Mapping[str, Tensor]) -> str:
        """Run the new engine on inputs whose outputs are known; return why it can not take over, or `""`."""
        try:
            found = self._new.run(**inputs)
        except MienError as error:
            return f"the new engine fails where the old one does not: {error}"
        self.count += 1
        for name, value in wanted.items():
            if name not in found or found[name].shape != value.shape:
                shape = found[name].shape if name in found else "missing"
                return f"output {name!r} is {shape}, the old engine's {value.shape}"
            if not np.isfinite(found[name]).all() and np.isfinite(value).all():
                return f"output {name!r} has NaN or infinite values, the old engine's has none"
            made = self._metrics.get(name) or metric(self._budget.metric, self._rate_hz)
            if not concerned(made, value):
                continue
            self._metrics[name] = made
            made.add(value, found[name])
            if not within(self._budget.metric, made.value, self._budget.limit):
                budget = f"{self._budget.metric}={self._budget.limit:g}"
                return f"output {name!r} has {self._budget.metric}={made.value:.3g}; the budget is {budget}"
        return ""

    @property
    def value(self) -> float:
        """The first output's value of the metric so far."""
        return next((made.value for made in self._metrics.values()), float("nan"))


class Watch:
    """A canary on live requests, in a thread of its own: no request waits for the new engine.

    `seen` is called with each request and what the old engine gave; what comes while the new one is busy
    with `_WAITING` others is not compared. `decided` is called once, from the thread.
    """

    def __init__(
        self, comparer: Comparer, share: Share, decided: Callable[[Verdict], None], seed: int = 0
    ) -> None:
        self._comparer, self._share, self._decided = comparer, share, decided
        self._draw = random.Random(seed)
        self._lock = threading.Lock()
        self._pairs: queue.Queue[tuple[Inputs, Mapping[str, Tensor]] | None] = queue.Queue(_WAITING)
        self._closed = False
        threading.Thread(target=self._work, name="mien-canary", daemon=True).start()

    def seen(self, inputs: Inputs, outputs: Mapping[str, Tensor]) -> None:
        """Compare this request with the share's probability; its inputs are copied."""
        with self._lock:
            if self._closed or self._draw.random() >= self._share.part:
                return
        with suppress(queue.Full):
            self._pairs.put_nowait(({name: value.copy() for name, value in inputs.items()}, outputs))

    def close(self) -> None:
        """End the thread after the comparison that it is at."""
        with self._lock:
            self._closed = True
        with suppress(queue.Full):  # then it looks at `_closed` before it waits
            self._pairs.put_nowait(None)

    def _work(self) -> None:
        while not self._closed and (pair := self._pairs.get()) is not None:
            if (verdict := self._verdict(*pair)) is not None:
                self._decided(verdict)
                return

    def _verdict(self, inputs: Inputs, outputs: Mapping[str, Tensor]) -> Verdict | None:
        try:
            reason = self._comparer.add(inputs, outputs)
        except Exception as error:  # noqa: BLE001 - an engine that breaks must not leave the canary open
            reason = f"the new engine fails where the old one does not: {error}"
        count, value = self._comparer.count, self._comparer.value
        if reason:
            return Verdict(False, reason, value, count)
        return Verdict(True, "", value, count) if count >= self._share.count else None


def compared(old: Engine, comparer: Comparer, inputs: Sequence[Inputs]) -> Verdict:
    """Run both engines on all inputs; raises `InputError` without any, and when the old one can not."""
    if not inputs:
        raise InputError("a canary needs at least one set of inputs, or a share of live requests")
    for each in inputs:
        if reason := comparer.add(each, old.run(**each)):
            return Verdict(False, reason, comparer.value, comparer.count)
    return Verdict(True, "", comparer.value, comparer.count)


def budget_of(path: Path, rate_hz: int | None = None) -> Budget:
    """Return the budget in the manifest of an engine's folder, or `ORDINARY`."""
    try:
        stated = manifests.read(path).budget if path.is_dir() else None
    except MissingError:
        stated = None
    return Budget.parse(stated, rate_hz) if stated else ORDINARY
