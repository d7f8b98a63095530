"""The child's work for OpenVINO: read a model, compile it for the CPU, and say what each step found."""

from __future__ import annotations

import io
import re
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np

from mien.engine.backends.report import Report
from mien.errors import require

_FRAME: Final = re.compile(r"Exception from |Check 'false' failed at ")  # lines that only say where
_NO_RULE: Final = re.compile(r"No conversion rule found for operations: (.*)")
_COUNTED: Final = ("Convolution", "Deconvolution", "FullyConnected", "MatMul")
_PRECISIONS: Final = {"u8": "int8", "i8": "int8", "f32": "fp32", "f16": "fp16"}


def task(path: Path, *, out: str | None = None) -> dict[str, Any]:
    """Compile `path`; the compiled model goes to `out`, or nowhere.

    The answer: `reports` (none: it was compiled), `inputs` and `outputs` (types), `devices`, `nodes` (name of
    a convolution or product → as what it runs), `executed` (their counts), `slow` (types of nodes without a
    kernel of their own → how many), `seconds`.
    """
    core = require("openvino", extra="measure").Core()
    stage, began = "parse", time.perf_counter()
    try:
        graph = core.read_model(path)
        stage = "build"
        compiled = core.compile_model(graph, "CPU")
        answer = {"reports": [], **_described(compiled), "seconds": time.perf_counter() - began}
        if out is not None:
            compiled.export_model(stream := io.BytesIO())
            Path(out).write_bytes(stream.getbuffer())
    except RuntimeError as error:
        return {"reports": [asdict(report) for report in _complaints(stage, str(error))]}
    return answer


def _described(compiled: Any) -> dict[str, Any]:
    """Return the types at the ends, and from the runtime model how each node is executed."""
    nodes, executed, slow = {}, Counter[str](), Counter[str]()
    for node in compiled.get_runtime_model().get_ordered_ops():
        info = {key: _text(value) for key, value in node.get_rt_info().items()}
        kind, runs = info.get("layerType", ""), info.get("runtimePrecision", "")
        if kind in _COUNTED:
            named = f"{_PRECISIONS.get(runs, runs)} {kind}"
            nodes[node.get_friendly_name()] = f"{named} ({info.get('primitiveType', '')})"
            executed[named] += 1
        if info.get("primitiveType", "").startswith("ref"):
            slow[kind] += 1
    return {
        "inputs": {port.any_name: _type(port) for port in compiled.inputs},
        "outputs": {port.any_name: _type(port) for port in compiled.outputs},
        "devices": list(compiled.get_property("EXECUTION_DEVICES")),
        "nodes": nodes,
        "executed": dict(executed),
        "slow": dict(slow),
    }


def _type(port: Any) -> str:
    return str(np.dtype(port.element_type.to_dtype()))


def _text(value: Any) -> str:
    return str(value if isinstance(value, str) else value.astype(str))


def _complaints(stage: str, text: str) -> list[Report]:
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
