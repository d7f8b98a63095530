"""The node that a complaint is about."""

from __future__ import annotations

import re
from typing import Final

from onnx import ModelProto

from mien.engine.backends.report import Report

_WORD: Final = re.compile(r"[\w/.:\-]+")


def locate(model: ModelProto, report: Report) -> int | None:
    """Return a node's place: as stated, by its name in the message, by an output's, by its operator alone."""
    nodes = model.graph.node
    names = {node.name: place for place, node in enumerate(nodes) if node.name}
    if report.node in names:
        return names[report.node]
    if 0 <= report.place < len(nodes) and nodes[report.place].op_type == report.operator:
        return report.place
    outputs = {name: place for place, node in enumerate(nodes) for name in node.output if name}
    words = [word.removeprefix("node_of_").rstrip(".,:") for word in _WORD.findall(report.message)]
    told = [known[word] for word in words for known in (names, outputs) if word in known]
    fitting = [p for p in told if not report.operator or nodes[p].op_type == report.operator]
    same = [p for p, node in enumerate(nodes) if report.operator and node.op_type == report.operator]
    return next(iter([*fitting, *same]), None)
