"""A plan that comes with a model's code: which nodes are int8 and the ranges of what they read and write.

It was found once, by the search, on real samples and in the model's own metric; here it is only carried out.
No weights are in it. A file holds plans by the sha256 of the model that they were found for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from onnx import ModelProto

from mien.engine.calibrate import Range
from mien.engine.precision import int8
from mien.engine.precision.plan import Plan, named
from mien.engine.targets import Target
from mien.errors import CorruptError


@dataclass(frozen=True, slots=True)
class Shipped:
    """`nodes` in int8, `kept` in fp32 with the reason, and the `ranges` of tensors."""

    nodes: tuple[str, ...]
    ranges: Mapping[str, Range]
    kept: Mapping[str, str]
    found: Mapping[str, Any]

    def applied(self, model: ModelProto, target: Target) -> ModelProto:
        """Return `model` with the plan's nodes in int8; raises `CorruptError` for another model's plan."""
        known = named(model)
        if missing := set(self.nodes) - {node.name for node in known.graph.node}:
            raise CorruptError(f"the int8 plan is another model's: it has no node {min(missing)!r}")
        plan = Plan("int8", dict.fromkeys(self.nodes, "int8"), dict(self.kept))
        if missing := set(int8.tensors(known, plan)) - self.ranges.keys():
            raise CorruptError(f"the int8 plan is another model's: it has no range for {min(missing)!r}")
        return int8.quantise(known, plan, self.ranges, target.int8)

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as JSON takes it; ranges to four digits."""
        ranges = {name: [float(f"{r.low:.4g}"), float(f"{r.high:.4g}")] for name, r in self.ranges.items()}
        return {
            "found": dict(self.found),
            "kept": dict(self.kept),
            "nodes": list(self.nodes),
            "ranges": ranges,
        }


def read(path: Path, digest: str) -> Shipped | None:
    """Return the plan for the model of a sha256, None when the file has none for it."""
    plan = json.loads(path.read_text("utf-8")).get(digest)
    if plan is None:
        return None
    ranges = {name: Range(low, high) for name, (low, high) in plan["ranges"].items()}
    return Shipped(tuple(plan["nodes"]), ranges, plan["kept"], plan["found"])
