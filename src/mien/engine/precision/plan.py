"""Which node computes in which precision."""

from __future__ import annotations

import fnmatch
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from onnx import ModelProto

from mien.errors import InputError, nearest

PRECISIONS = ("fp32", "fp16", "int8", "w8")


@dataclass(frozen=True, slots=True)
class Plan:
    """Node → precision for every node that is not fp32, and why nodes were kept in fp32."""

    precision: str
    nodes: Mapping[str, str] = field(default_factory=dict)
    kept: Mapping[str, str] = field(default_factory=dict)

    def without(self, names: Iterable[str], reason: str) -> Plan:
        """Return the plan with further nodes in fp32."""
        gone = set(names) & self.nodes.keys()
        left = {name: precision for name, precision in self.nodes.items() if name not in gone}
        return Plan(self.precision, left, {**self.kept, **dict.fromkeys(sorted(gone), reason)})

    def only(self, names: Iterable[str]) -> Plan:
        """Return the plan for these nodes alone."""
        wanted = set(names)
        return Plan(self.precision, {n: p for n, p in self.nodes.items() if n in wanted}, self.kept)


def named(model: ModelProto) -> ModelProto:
    """Return `model` with a name of its own for each node: `Conv_12` where it has none or shares it."""
    made = ModelProto()
    made.CopyFrom(model)
    count = Counter(node.name for node in made.graph.node)
    taken = set(count)
    for place, node in enumerate(made.graph.node):
        if not node.name or count[node.name] > 1:
            node.name = _free(f"{node.op_type}_{place}", taken)
            taken.add(node.name)
    return made


def keep(patterns: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the names that any pattern (`/dec/conv_post*`) fits; `InputError` for one that fits none."""
    found: list[str] = []
    for pattern in patterns:
        fitting = fnmatch.filter(names, pattern)
        if not fitting:
            raise InputError(f"no node fits {pattern!r}{nearest(pattern, names[:500])}")
        found += fitting
    return found


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name
