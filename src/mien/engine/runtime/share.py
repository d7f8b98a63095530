"""What a canary is asked to do, and what it says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mien.engine.engine import Tensor
from mien.errors import InputError

Inputs = Mapping[str, Tensor]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the new engine took over, why not, and how far it is from the old one on how many inputs."""

    taken: bool
    reason: str
    value: float = float("nan")
    count: int = 0


@dataclass(frozen=True, slots=True)
class Share:
    """Canary on live requests: `part` of them also run on the new engine, until `count` have."""

    part: float = 0.1
    count: int = 20

    def __post_init__(self) -> None:
        if not 0 < self.part <= 1 or self.count < 1:
            raise InputError(
                f"a canary's share is {self.part:g} of {self.count}; valid: 0 to 1, of 1 or more"
            )
