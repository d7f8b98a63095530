"""The child's side of a `Worker`: one JSON question a line on standard input, one JSON answer a line back."""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Final

from mien.engine.sandbox.child import OUT_OF_MEMORY, limit

# Task → the function that does it: `(path, **options) -> JSON`.
TASKS: Final = {
    "onnxruntime": "mien.engine.backends.probes:onnxruntime",
    "openvino": "mien.engine.backends.openvino_child:task",
    "coverage-onnxruntime": "mien.engine.backends.coverage:onnxruntime",
    "coverage-openvino": "mien.engine.backends.coverage:openvino",
    "tflite": "mien.engine.importers.tflite.convert:task",
    "torch": "mien.engine.importers.pytorch.export:task",
    "tensorrt-rtx-build": "mien.engine.backends.tensorrt_rtx.build:task",
}


def main() -> int:
    """Answer until standard input ends; what libraries print is thrown away."""
    answers = _quiet()
    request = json.loads(sys.stdin.readline())
    module, _, name = TASKS[request["task"]].partition(":")
    task = getattr(importlib.import_module(module), name)
    limit(request["memory_bytes"], request["time_s"], request["file_bytes"])
    for line in sys.stdin:
        try:
            answer = _answer(task, json.loads(line))
        except MemoryError:
            return OUT_OF_MEMORY
        answers.write(answer + "\n")
        answers.flush()
    return 0


def _answer(task: Callable[..., Any], question: dict[str, Any]) -> str:
    path = Path(question.pop("path"))
    return json.dumps(task(path, **question))


def _quiet() -> IO[str]:
    """Return standard output, and let everything else that writes there write nowhere."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return answers


if __name__ == "__main__":
    code = main()
    os._exit(code)  # no destructors of libraries that ran out of memory
