"""ONNX Runtime as the measure of what a model means: no optimisation, noise with fixed seeds."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from typing import Any, Final

from numpy.typing import NDArray
from onnx import GraphProto, ModelProto, helper

from mien.engine.backends.narrow import from_value, is_narrow, to_value
from mien.errors import CorruptError, InputError, require

Value = Any  # an array, a list of them (sequence), or None (optional)
_SEEDED: Final = frozenset(
    "RandomNormal RandomUniform RandomNormalLike RandomUniformLike Bernoulli Multinomial Dropout".split()
)
_NARROW: Final = frozenset(
    f"tensor({name})"
    for name in """bfloat16 float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz float8e8m0
    float4e2m1 int4 uint4 int2 uint2""".split()
)
_SOURCE: Final = re.compile(r"/onnxruntime_src/\S+:\d+ .*?\) (\[with [^\]]*\] )?")
_MAX_REASON: Final = 200  # characters


class Session:
    """A model in memory, ready to run as it is written (or as ONNX Runtime would, with `optimise`)."""

    def __init__(self, model: ModelProto, *, optimise: bool = False, threads: int = 2) -> None:
        """Load a model. Raises `CorruptError` with ONNX Runtime's reason when it can not."""
        runtime = require("onnxruntime", extra="voice")
        settings = runtime.SessionOptions()
        settings.intra_op_num_threads = threads
        settings.inter_op_num_threads = 1
        settings.log_severity_level = 4
        settings.add_session_config_entry("session.intra_op.allow_spinning", "0")
        settings.enable_cpu_mem_arena = False
        if not optimise:
            settings.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
        self._errors: tuple[type[Exception], ...] = (*_errors(runtime), ValueError, TypeError, RuntimeError)
        self._outputs = [info.name for info in model.graph.output]
        try:
            data = model.SerializeToString()
            self._session = runtime.InferenceSession(data, settings, providers=["CPUExecutionProvider"])
        except self._errors as error:
            raise CorruptError(f"ONNX Runtime can not load the model: {_reason(error)}") from None

        self._narrow = any(
            argument.type in _NARROW
            for argument in [*self._session.get_inputs(), *self._session.get_outputs()]
        )

    def run(self, inputs: Mapping[str, NDArray[Any]]) -> list[Value]:
        """Return the outputs in the model's order; raises `InputError` when the inputs do not fit."""
        runtime = require("onnxruntime", extra="voice")
        options = runtime.RunOptions()
        options.log_severity_level = 4
        try:
            if self._narrow or any(is_narrow(value) for value in inputs.values()):
                values = {name: to_value(runtime, value) for name, value in inputs.items()}
                made = self._session.run_with_ort_values(self._outputs, values, options)
                return [from_value(value) for value in made]
            return list(self._session.run(self._outputs, dict(inputs), options))
        except self._errors as error:
            raise InputError(f"ONNX Runtime can not run the model: {_reason(error)}") from None


def seeded(model: ModelProto) -> ModelProto:
    """Return `model` with a fixed seed in each node that draws numbers: two new sessions then agree."""
    made = ModelProto()
    made.CopyFrom(model)
    _seed(made.graph)
    return made


def _seed(graph: GraphProto) -> None:
    for node in graph.node:
        for attribute in node.attribute:
            for inner in [attribute.g, *attribute.graphs]:
                _seed(inner)
        if node.op_type in _SEEDED and node.domain in ("", "ai.onnx"):
            kept = [a for a in node.attribute if a.name != "seed"]
            del node.attribute[:]
            seed = float(zlib.crc32(node.output[0].encode()) % 65_536)
            value = int(seed) if node.op_type == "Dropout" else seed
            node.attribute.extend([*kept, helper.make_attribute("seed", value)])


def _errors(runtime: Any) -> tuple[type[Exception], ...]:
    state = runtime.capi.onnxruntime_pybind11_state
    names = "Fail InvalidArgument InvalidGraph InvalidProtobuf NotImplemented RuntimeException NoSuchFile"
    return tuple(getattr(state, name) for name in names.split())


def _reason(error: Exception) -> str:
    """Return what ONNX Runtime says, on one line, without the place in its own source."""
    return _SOURCE.sub("", " ".join(str(error).split()))[:_MAX_REASON]
