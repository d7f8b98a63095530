"""The child's work for ONNX Runtime on the CPU: load a model, run it once, and say what went wrong."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import onnx

from mien.engine.backends.reference import Session
from mien.engine.backends.report import Report
from mien.engine.inspect.generate import generate
from mien.errors import InputError, MienError

_ORT: Final = re.compile(r"\[ONNXRuntimeError\] : \d+ : (\w+) : (.*)", re.DOTALL)
_OPERATOR: Final = re.compile(
    r"implementation for (\w+)|(\w+)\(-?\d+\) is not a reg|Optype \((\w+)\)|running (\w+) node"
    r"|No Op registered for (\w+)"
)


def onnxruntime(path: Path) -> dict[str, Any]:
    """Load in ONNX Runtime on the CPU and run on made-up inputs; `notes` say why it did not run."""
    model = onnx.load(path)
    try:
        session = Session(model, optimise=True)
    except MienError as error:
        return _told([_of_runtime("build", str(error))])
    try:
        sample = generate(model, 0)
    except InputError as reason:
        return _told([], [f"loaded, not run: {reason}"])
    try:
        session.run(sample)
    except MienError as error:
        report = _of_runtime("run", str(error))
        if report.code == "NOT_IMPLEMENTED":
            return _told([report])
        return _told([], [f"loaded; on made-up inputs: {report.message}"])
    return _told([])


def _of_runtime(stage: str, text: str) -> Report:
    match = _ORT.search(text)
    message = match[2] if match else text
    named = _OPERATOR.search(message)
    operator = next(filter(None, named.groups()), "") if named else ""
    return Report(stage, match[1] if match else "ERROR", message, operator=operator)


def _told(reports: list[Report], notes: list[str] | None = None) -> dict[str, Any]:
    return {"reports": [asdict(report) for report in reports], "notes": notes or []}
