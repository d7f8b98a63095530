"""How an action went."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class Outcome:
    """`refused`: the server understood and will not (4xx); `failed`: no usable answer came in time."""

    kind: Literal["done", "refused", "failed"]
    values: Mapping[str, str] = field(default_factory=dict)
