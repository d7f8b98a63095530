"""Compiling a model with OpenVINO in a child process, where a crash inside the library is an answer."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mien.engine.backends import openvino
from mien.engine.backends.report import answered
from mien.engine.sandbox import Worker

_GIB: Final = 1 << 30
_TIME_S: Final = 1_800.0


@dataclass(frozen=True, slots=True)
class Built:
    """A compiled model's bytes and what OpenVINO says of them.

    `inputs`, `outputs`: element types. `nodes`: each convolution or product → as what it runs; `executed`:
    their counts; `slow`: types of nodes that run by reference code → how many.
    """

    data: bytes
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    devices: tuple[str, ...]
    nodes: Mapping[str, str]
    executed: Mapping[str, int]
    slow: Mapping[str, int]
    seconds: float


def build(model: bytes, *, time_s: float = _TIME_S) -> Built:
    """Compile an ONNX model without external data for this machine's processor.

    Raises `MissingError` without OpenVINO, and `InputError` with its own reason; `mien diagnose` says more.
    """
    openvino.library()
    room = {"memory_bytes": 12 * _GIB + 8 * len(model), "file_bytes": 2 * _GIB + 4 * len(model)}
    with tempfile.TemporaryDirectory() as folder, Worker("openvino", **room) as child:
        source, out = Path(folder) / "model.onnx", Path(folder) / "model.blob"
        source.write_bytes(model)
        answer: dict[str, Any] = answered("OpenVINO", child.ask(source, time_s=time_s, out=str(out)))
        data = out.read_bytes()
    del answer["reports"]
    return Built(data, **{**answer, "devices": tuple(answer["devices"])})
