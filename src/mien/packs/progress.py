"""What a pull tells about itself while it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum


class Step(StrEnum):
    """What is being done to a pack."""

    CHECK = "check"
    WAIT = "wait for another mien"
    DOWNLOAD = "download"
    UNPACK = "unpack"
    DONE = "installed"


@dataclass(frozen=True, slots=True)
class Progress:
    """One moment: `done` of `total` bytes of `step`; `total` 0: not known. `item`: what is read."""

    pack: str
    step: Step
    item: str = ""
    done: int = 0
    total: int = 0


Report = Callable[[Progress], None]


def silent(_: Progress) -> None:
    """Report nothing."""


@dataclass(slots=True)
class Meter:
    """Adds up the bytes of one step of one pack and reports them."""

    report: Report
    pack: str
    step: Step
    total: int = 0
    item: str = ""
    done: int = field(default=0, init=False)

    def __call__(self, size: int) -> None:
        """Add `size` bytes."""
        self.done += size
        self.report(Progress(self.pack, self.step, self.item, self.done, self.total))
