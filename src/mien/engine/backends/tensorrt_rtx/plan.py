"""What a plan holds, read from the plan itself.

The engine inspector needs a GPU. A plan of 1.7 carries its program as text: the compute capabilities, the
type of each tensor, and each heavy instruction with the tensors that it reads. That text is not
documented, so a plan in which it is not found is said to be unread, never taken as right.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_CAPABILITIES: Final = re.compile(rb"accelerators=\{([^}\n]*)\}")
_TENSOR: Final = re.compile(rb'tensor=\{[^\n]*? name="([^"\n]+)"[^\n]*? type=(\w+) \}')
_HEAVY: Final = re.compile(
    rb'\n +(corrltn|deconvolution|fully_connected)=\{ name="([^"\n]*)" output=\{[^}\n]*\} input=\{([^}\n]*)\}'
)
_NAMES: Final = {"corrltn": "Conv", "deconvolution": "ConvTranspose", "fully_connected": "MatMul"}
_TYPES: Final = {"float": "fp32", "half": "fp16", "bfloat16": "bf16", "int8": "int8", "int4": "int4"}
_SM: Final = re.compile(r"sm(\d+)(\d)")


@dataclass(frozen=True, slots=True)
class Contents:
    """Compute capabilities (`"8.9"`), and node → how its heavy instruction runs (`"int8 Conv"`)."""

    capabilities: tuple[str, ...]
    nodes: Mapping[str, str]

    @property
    def executed(self) -> Counter[str]:
        """Heavy instructions by precision and kind; `w8`: weights in int8, computed in float."""
        return Counter(self.nodes.values())


def read(plan: bytes) -> Contents:
    """Return what a plan says of itself; capabilities are empty when its text is not understood."""
    found = {name for match in _CAPABILITIES.findall(plan) for name in match.decode().split()}
    capabilities = sorted(f"{m[1]}.{m[2]}" for name in found if (m := _SM.fullmatch(name)))
    types = {name.decode("latin1"): kind.decode() for name, kind in _TENSOR.findall(plan)}
    nodes = {
        name.decode("utf-8", "replace"): f"{_precision(inputs, types)} {_kind(kind)}"
        for kind, name, inputs in _HEAVY.findall(plan)
    }
    return Contents(tuple(sorted(capabilities, key=float)), nodes)


def _kind(instruction: bytes) -> str:
    return _NAMES[instruction.decode()]


def _precision(inputs: bytes, types: Mapping[str, str]) -> str:
    names = re.findall(rb'"([^"]+)"', inputs)[:2]
    kinds = [types.get(name.decode("latin1"), "?") for name in names]
    kinds = [_TYPES.get(kind, kind) for kind in kinds]
    if len(kinds) == 2 and kinds[0] != kinds[1]:
        return f"w{kinds[1].removeprefix('int')}" if kinds[1] in ("int8", "int4") else "/".join(kinds)
    return kinds[0] if kinds else "?"
