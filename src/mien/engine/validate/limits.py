"""How large a model may be: far above any that mien knows, far below what harms the machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

GIB = 1 << 30


@dataclass(frozen=True, slots=True)
class Limits:
    """What a model may hold, and what looking at it may cost.

    `messages` bounds the parts of the file of any kind: two bytes of it can become hundreds in memory.
    `nesting` counts graphs inside graphs (`If` in `If`); protobuf itself refuses more than about 30.
    """

    file_bytes: int = 2 * GIB - 1  # protobuf's own limit for one message
    messages: int = 4_000_000
    nodes: int = 200_000
    nesting: int = 16
    tensor_elements: int = 2 * GIB
    weight_bytes: int = 16 * GIB
    external_bytes: int = 16 * GIB
    findings: int = 200
    time_s: float = 60.0

    def memory_bytes(self, file_bytes: int, *, times: int = 4) -> int:
        """Return the address space that a child may take for a file: libraries, and `times` the file."""
        return 3 * GIB + times * file_bytes


STANDARD: Final = Limits()
