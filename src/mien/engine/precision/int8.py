"""Static int8 as QuantizeLinear and DequantizeLinear pairs (QDQ) in the graph.

The pairs are placed by ONNX Runtime's quantiser; the ranges are our own, since its entropy calibrator tries
one range only, and its histograms keep every sample.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto

from mien.engine.calibrate.ranges import Range
from mien.engine.graph import constants
from mien.engine.precision.plan import Plan
from mien.engine.targets import Int8
from mien.errors import InputError, require

_LEAST_OPSET = 13  # DequantizeLinear with an axis: per channel


def candidates(model: ModelProto, target: Int8) -> Plan:
    """Return the plan that puts every node with weights into int8 that the target has a kernel for."""
    known = constants(model)
    nodes = {
        n.name: "int8" for n in model.graph.node if n.op_type in target.operators and _weighted(n, known)
    }
    if not nodes:
        raise InputError(
            f"no node to put into int8: the target takes {', '.join(target.operators)} with weights"
        )
    return Plan("int8", nodes)


def tensors(model: ModelProto, plan: Plan) -> list[str]:
    """Return the tensors whose ranges the plan needs: what its nodes read and write, without constants."""
    known = constants(model)
    found: dict[str, None] = {}
    for node in model.graph.node:
        if node.name in plan.nodes:
            found |= dict.fromkeys(n for n in [*node.input[:2], node.output[0]] if n and n not in known)
    return list(found)


def quantise(model: ModelProto, plan: Plan, ranges: Mapping[str, Range], target: Int8) -> ModelProto:
    """Return `model` (its nodes named) with the plan's nodes between Q/DQ pairs; weights are stored in int8.

    Raises `InputError` for an operator set below 13 and for a tensor without a range.
    """
    opset = next((o.version for o in model.opset_import if not o.domain), 0)
    if opset < _LEAST_OPSET:
        raise InputError(f"int8 needs operator set {_LEAST_OPSET}, the model has {opset}; export it again")
    for name in tensors(model, plan):
        if name not in ranges:
            raise InputError(f"tensor {name!r} was never seen with a value: no sample reaches it")
    copy = ModelProto()
    copy.CopyFrom(model)
    if not plan.nodes:
        return copy
    with _quietly():
        made: ModelProto = _quantiser(copy, plan, ranges, target).quantize_model()
    made.producer_name, made.producer_version = model.producer_name, model.producer_version
    return made


def _quantiser(  # type: ignore[no-untyped-def]  # a class of a library without types
    model: ModelProto, plan: Plan, ranges: Mapping[str, Range], target: Int8
):
    calibration = require("onnxruntime.quantization.calibrate", extra="voice")
    quantiser = require("onnxruntime.quantization.qdq_quantizer", extra="voice")
    kind = require("onnxruntime.quantization", extra="voice").QuantType
    bounds = {n: (np.array([r.low], np.float32), np.array([r.high], np.float32)) for n, r in ranges.items()}
    return quantiser.QDQQuantizer(
        model,
        per_channel=target.per_channel,
        reduce_range=target.reduce_range,
        weight_qType=kind.QInt8,
        activation_qType=kind.QUInt8 if target.activations == "uint8" else kind.QInt8,
        tensors_range=calibration.TensorsData(calibration.CalibrationMethod.MinMax, bounds),
        nodes_to_quantize=list(plan.nodes),
        nodes_to_exclude=[],
        op_types_to_quantize=list(target.operators),
        extra_options={
            "ActivationSymmetric": target.symmetric_activations,
            "WeightSymmetric": True,
            "QuantizeBias": target.quantise_bias,
        },
    )


def _weighted(node: NodeProto, known: Mapping[str, TensorProto]) -> bool:
    """Whether a node multiplies with constant float weights."""
    weight = known.get(node.input[1]) if len(node.input) > 1 else None
    return weight is not None and weight.data_type == TensorProto.FLOAT


@contextmanager
def _quietly() -> Iterator[None]:
    """Keep the quantiser from writing its advice to the root logger."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(before)
