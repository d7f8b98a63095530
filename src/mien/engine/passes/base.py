"""What a graph pass is: a small object that takes a model and returns a changed copy, with its promises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from onnx import ModelProto


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that holds for a model: `check` returns `""`, or why it does not hold."""

    name: str
    check: Callable[[ModelProto], str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a pass made: the model, whether it differs, and what was done or why nothing was."""

    model: ModelProto
    changed: bool
    note: str = ""


class Pass(Protocol):
    """A pass never touches the model that it is given."""

    @property
    def name(self) -> str:
        """A short name, as in `batchnorm-into-conv`."""

    @property
    def requires(self) -> Sequence[Condition]:
        """What must hold before; else the pass is not tried."""

    @property
    def ensures(self) -> Sequence[Condition]:
        """What holds afterwards; else the change is dropped."""

    def __call__(self, model: ModelProto) -> Outcome:
        """Return the changed model."""


@dataclass(frozen=True, slots=True)
class FunctionPass:
    """A pass made of a function."""

    name: str
    transform: Callable[[ModelProto], Outcome]
    requires: tuple[Condition, ...] = ()
    ensures: tuple[Condition, ...] = ()

    def __call__(self, model: ModelProto) -> Outcome:
        """Return the changed model."""
        return self.transform(model)


def tell(done: str, count: int, refusals: Sequence[str] = ()) -> str:
    """Return the note of a pass: `"3 folded; kept: conv_1 (read twice)"`."""
    parts = [f"{count:,} {done}"] if count else []
    if refusals:
        more = f" and {len(refusals) - 3:,} more" if len(refusals) > 3 else ""
        parts.append(f"kept: {', '.join(refusals[:3])}{more}")
    return "; ".join(parts) or "nothing to do"
