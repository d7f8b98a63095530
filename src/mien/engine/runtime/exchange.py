"""An engine that can be replaced between two requests; those that run finish on the one they began with."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING

from mien.engine.engine import Engine, Tensor
from mien.engine.runtime.share import Inputs, Share, Verdict
from mien.engine.runtime.ticket import Outputs
from mien.engine.stop import Stop
from mien.engine.wrapper import Around
from mien.errors import InputError

if TYPE_CHECKING:
    from mien.engine.runtime.canary import Comparer, Watch


class Exchange(Around):
    """Runs the engine that is current; `renewed` is called with another one that has taken over."""

    def __init__(self, engine: Engine, renewed: Callable[[Engine], None]) -> None:
        self._engine, self._renewed = engine, renewed
        self._lock = threading.Lock()
        self._trial: tuple[Watch, Future[Verdict]] | None = None

    def run(self, stop: Stop | None = None, /, **inputs: Tensor) -> Outputs:
        """Compute every output on the engine that is current now; raises as `Engine.run`."""
        outputs = self._engine.run(stop, **inputs)
        if (trial := self._trial) is not None:
            watch, future = trial
            if future.done():  # cancelled
                watch.close()
            else:
                watch.seen(inputs, outputs)
        return outputs

    def swap(self, new: Engine, comparer: Comparer, canary: Sequence[Inputs] | Share) -> Future[Verdict]:
        """Let `new` take over once its canary is through; on failure the old engine stays.

        With inputs the verdict is there at once, with a share of live requests when enough have come. Raises
        `InputError` while another canary runs and for a canary without inputs.
        """
        from mien.engine.runtime.canary import Watch, compared

        future: Future[Verdict] = Future()
        if reason := _other_ports(self._engine, new):
            future.set_result(Verdict(False, reason))
        elif isinstance(canary, Share):
            self._begin(future, lambda: Watch(comparer, canary, lambda found: self._end(new, found, future)))
        else:
            self._check_free()
            self._end(new, compared(self._engine, comparer, canary), future)
        return future

    def close(self) -> None:
        """End a canary that runs; its future is cancelled."""
        if (trial := self._trial) is not None:
            trial[1].cancel()
            trial[0].close()

    def _begin(self, future: Future[Verdict], watch: Callable[[], Watch]) -> None:
        with self._lock:
            self._check_free()
            if self._trial is not None:  # it was cancelled
                self._trial[0].close()
            self._trial = watch(), future

    def _check_free(self) -> None:
        if self._trial is not None and not self._trial[1].done():
            raise InputError("another canary is running; wait for its verdict or cancel it")

    def _end(self, new: Engine, verdict: Verdict, future: Future[Verdict]) -> None:
        with self._lock:
            if self._trial is not None and self._trial[1] is future:
                self._trial = None
            if not future.set_running_or_notify_cancel():
                return
            if verdict.taken:
                self._engine = new
                self._renewed(new)
            future.set_result(verdict)


def _other_ports(old: Engine, new: Engine) -> str:
    """Return what the new engine takes or gives otherwise than the old one, or `""`."""
    for what, theirs, ours in (("input", old.inputs, new.inputs), ("output", old.outputs, new.outputs)):
        wanted, found = ({port.name: port.dtype for port in ports} for ports in (theirs, ours))
        for name in wanted.keys() | found.keys():
            if wanted.get(name) != found.get(name):
                before, after = (str(each.get(name, "missing")) for each in (wanted, found))
                return f"{what} {name!r} is {after} in the new engine, {before} in the old one"
    return ""
