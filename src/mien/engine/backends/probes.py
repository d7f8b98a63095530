"""Children's work for the CPU backends: load a model, run it once, and say what went wrong."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import onnx

from mien.engine.backends.reference import Session
from mien.engine.backends.report import Report
from mien.engine.inspect.generate import generate
from mien.errors import InputError, MienError, require

_ORT: Final = re.compile(r"\[ONNXRuntimeError\] : \d+ : (\w+) : (.*)", re.DOTALL)
_OPERATOR: Final = re.compile(
    r"implementation for (\w+)|(\w+)\(-?\d+\) is not a reg|Optype \((\w+)\)|running (\w+) node"
    r"|No Op registered for (\w+)"
)
_FRAME: Final = re.compile(r"Exception from |Check 'false' failed at ")  # lines that only say where
_NO_RULE: Final = re.compile(r"No conversion rule found for operations: (.*)")


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


def openvino(path: Path) -> dict[str, Any]:
    """Read and compile in OpenVINO for the CPU."""
    core = require("openvino", extra="measure").Core()
    stage = "parse"
    try:
        graph = core.read_model(path)
        stage = "build"
        core.compile_model(graph, "CPU")
    except RuntimeError as error:
        return _told(_of_openvino(stage, str(error)))
    return _told([])


def _of_runtime(stage: str, text: str) -> Report:
    match = _ORT.search(text)
    message = match[2] if match else text
    named = _OPERATOR.search(message)
    operator = next(filter(None, named.groups()), "") if named else ""
    return Report(stage, match[1] if match else "ERROR", message, operator=operator)


def _of_openvino(stage: str, text: str) -> list[Report]:
    """Return one report for each operation of OpenVINO's list, or one for the whole."""
    lines = [line for line in text.splitlines() if line.strip() and not _FRAME.match(line)]
    found = [
        Report(stage, "NO_RULE", line.removeprefix("-- "), operator=name)
        for line in lines
        if (match := _NO_RULE.search(line))
        for name in _named(match[1])
    ]
    failed = re.split(r"^-- (?=\S+ with a message)", "\n".join(lines), flags=re.MULTILINE)
    for part in failed[1:]:
        operator = part.split()[0].rpartition("-")[0] or part.split()[0]
        message = part.partition("\nSummary:")[0].partition("message:\n")[2]
        found.append(Report(stage, "CONVERSION", " ".join(message.split()), operator=operator))
    return found or [Report(stage, "ERROR", " ".join(" ".join(lines).split()))]


def _named(operations: str) -> list[str]:
    """Return the operators of `Det-20, mine.Snake`."""
    return [part.strip().split("-")[0].rpartition(".")[2] for part in operations.split(",")]


def _told(reports: list[Report], notes: list[str] | None = None) -> dict[str, Any]:
    return {"reports": [asdict(report) for report in reports], "notes": notes or []}
