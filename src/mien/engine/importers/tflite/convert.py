"""From a TFLite file's bytes to an ONNX model."""

from __future__ import annotations

from pathlib import Path

import onnx
from onnx import ModelProto

from mien.engine.importers.tflite.network import Network
from mien.engine.importers.tflite.operators import OPERATORS
from mien.engine.importers.tflite.reader import BROKEN, Graph, read
from mien.errors import CorruptError, InputError, MienError


def convert(data: bytes, *, name: str = "model") -> ModelProto:
    """Return the model in float32; inputs and outputs keep their names and their axes (channels last).

    Half-precision, quantised and sparse weights become float32. Raises `CorruptError` for a broken file,
    `InputError` naming the first operators that have no counterpart here.
    """
    graph = read(data, name=name)
    _check(graph, name)
    try:
        model = _converted(graph)
        onnx.checker.check_model(model)
    except MienError:
        raise
    except (*BROKEN, onnx.checker.ValidationError) as error:
        reason = str(error).splitlines()[0][:200]
        raise CorruptError(
            f"{name!r} is a TFLite file whose operators do not fit its tensors ({reason}); fetch it again"
        ) from None
    return model


def _converted(graph: Graph) -> ModelProto:
    net = Network(graph)
    for operator in graph.operators:
        OPERATORS[operator.kind](net, operator)
    return net.model()


def _check(graph: Graph, name: str) -> None:
    unknown = sorted({operator.kind for operator in graph.operators} - OPERATORS.keys())
    if unknown:
        raise InputError(
            f"{name!r} uses the TFLite operator {', '.join(unknown)}, which mien can not turn into ONNX; "
            "export the original model to ONNX instead"
        )


def task(path: Path, *, out: str) -> dict[str, str]:
    """Convert in the child; the answer's `error` is empty when `out` was written."""
    try:
        model = convert(path.read_bytes(), name=path.name)
    except MienError as error:
        return {"error": str(error), "kind": type(error).__name__}
    Path(out).write_bytes(model.SerializeToString())
    return {"error": "", "kind": ""}
