"""The first child's work: validate a file and say what it holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mien.engine import graph
from mien.engine.inspect.summary import summarise
from mien.engine.validate import Limits, errors, validate
from mien.errors import MienError


def task(path: Path, *, limits: dict[str, Any]) -> dict[str, Any]:
    """Return the findings, and the summary of a file that can be parsed and has no errors."""
    findings = validate(path, Limits(**limits))
    summary = None
    if not errors(findings):
        try:
            summary = summarise(graph.load(path)).to_dict()
        except MienError:
            summary = None
    return {"findings": [finding.to_dict() for finding in findings], "summary": summary}
