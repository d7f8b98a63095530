"""TFLite's operators in ONNX: one small function each, found by the schema's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mien.engine.importers.tflite.network import FIRST, Network
from mien.engine.importers.tflite.reader import Operator
from mien.errors import InputError

Emit = Callable[[Network, Operator], None]
_SAME: Final = 0  # Padding.SAME
_MODES: Final = {"AlignCorners": "align_corners", "HalfPixelCenters": "half_pixel"}


def activated(net: Network, operator: Operator, kind: str, inputs: list[str], **attributes: Any) -> None:
    """Add a node, and the activation that the operator has fused into it."""
    place, fused = operator.outputs[0], operator.options.get("FusedActivationFunction", 0)
    if not fused:
        net.emit(kind, inputs, place, **attributes)
        return
    made = net.inner(kind, inputs, f"before {net.graph.tensors[place].name}", **attributes)
    if fused not in _FUSED:
        raise InputError(f"{operator.kind} has an activation (number {fused}) that mien does not know")
    name, bounds = _FUSED[fused]
    extra = [net.constant(np.float32(b), "bound") for b in bounds]  # type: ignore[arg-type]
    net.emit(name, [made, *extra], place)


_FUSED: Final[Mapping[int, tuple[str, tuple[float, ...]]]] = {
    1: ("Relu", ()),
    2: ("Clip", (-1.0, 1.0)),
    3: ("Clip", (0.0, 6.0)),
    4: ("Tanh", ()),
}


def _window(net: Network, operator: Operator, kernel: tuple[int, int]) -> dict[str, Any]:
    """Return strides, dilations and the explicit form of TFLite's padding."""
    options, shape = operator.options, net.shape(operator.inputs[0])
    strides = [options["StrideH"], options["StrideW"]]
    dilations = [options.get("DilationHFactor", 1), options.get("DilationWFactor", 1)]
    pads = [0, 0, 0, 0]
    if options["Padding"] == _SAME:
        for axis in (0, 1):
            size, reach = shape[1 + axis], (kernel[axis] - 1) * dilations[axis] + 1
            total = max((-(-size // strides[axis]) - 1) * strides[axis] + reach - size, 0)
            pads[axis], pads[axis + 2] = total // 2, total - total // 2
    return {"strides": strides, "dilations": dilations, "pads": pads, "kernel_shape": list(kernel)}


def _convolution(net: Network, operator: Operator) -> None:
    weight = net.fixed(operator, 1)
    depthwise = operator.kind == "DEPTHWISE_CONV_2D"
    turned = weight.transpose((3, 0, 1, 2) if depthwise else FIRST)
    window = _window(net, operator, (weight.shape[1], weight.shape[2]))
    window["group"] = net.shape(operator.inputs[0])[3] // turned.shape[1]
    inputs = [net.held(operator.inputs[0]), net.constant(np.ascontiguousarray(turned), "weight")]
    if len(operator.inputs) > 2 and operator.inputs[2] >= 0:
        inputs.append(net.constant(net.fixed(operator, 2).astype(np.float32), "bias"))
    activated(net, operator, "Conv", inputs, **window)


def _pool(kind: str) -> Emit:
    def emit(net: Network, operator: Operator) -> None:
        window = _window(net, operator, (operator.options["FilterHeight"], operator.options["FilterWidth"]))
        del window["dilations"]
        activated(net, operator, kind, [net.held(operator.inputs[0])], **window)

    return emit


def _elementwise(kind: str) -> Emit:
    def emit(net: Network, operator: Operator) -> None:
        axes = len(net.shape(operator.outputs[0]))
        activated(net, operator, kind, [net.beside(place, axes) for place in operator.inputs])

    return emit


def _same(kind: str, *bounds: float) -> Emit:
    """Return what emits an operator that does not care for the order of axes."""

    def emit(net: Network, operator: Operator) -> None:
        extra = [net.constant(np.array(bound, np.float32), "bound") for bound in bounds]
        net.emit(kind, [net.held(operator.inputs[0]), *extra], operator.outputs[0])

    return emit


def _prelu(net: Network, operator: Operator) -> None:
    axes = len(net.shape(operator.outputs[0]))
    slope = net.fixed(operator, 1)
    if axes == 4:
        slope = slope.reshape((1,) * (4 - slope.ndim) + slope.shape).transpose(FIRST)[0]
    net.emit(
        "PRelu",
        [net.held(operator.inputs[0]), net.constant(np.ascontiguousarray(slope), "slope")],
        operator.outputs[0],
    )


def _pad(net: Network, operator: Operator) -> None:
    pads = net.fixed(operator, 1).astype(np.int64)
    if len(pads) == 4:
        pads = pads[list(FIRST)]
    ends = net.constant(np.concatenate([pads[:, 0], pads[:, 1]]), "pads")
    net.emit("Pad", [net.held(operator.inputs[0]), ends], operator.outputs[0])


def _reshape(net: Network, operator: Operator) -> None:
    shape = net.constant(np.array(net.shape(operator.outputs[0]), np.int64), "shape")
    net.emit_plain("Reshape", [net.plain(operator.inputs[0]), shape], operator.outputs[0])


def _concatenation(net: Network, operator: Operator) -> None:
    axes = len(net.shape(operator.outputs[0]))
    axis = operator.options["Axis"] % axes
    held = [net.held(place) for place in operator.inputs]
    activated(net, operator, "Concat", held, axis=FIRST.index(axis) if axes == 4 else axis)


def _bilinear(net: Network, operator: Operator) -> None:
    mode = next((name for key, name in _MODES.items() if operator.options.get(key)), "asymmetric")
    batch, _, _, channels = net.shape(operator.inputs[0])
    height, width = (int(size) for size in net.fixed(operator, 1))
    sizes = net.constant(np.array([batch, channels, height, width], np.int64), "sizes")
    inputs = [net.held(operator.inputs[0]), "", "", sizes]
    net.emit("Resize", inputs, operator.outputs[0], mode="linear", coordinate_transformation_mode=mode)


def _depth_to_space(net: Network, operator: Operator) -> None:
    inputs = [net.held(operator.inputs[0])]
    net.emit("DepthToSpace", inputs, operator.outputs[0], blocksize=operator.options["BlockSize"])


def _dense(net: Network, operator: Operator) -> None:
    """Restore half-precision, quantised or sparse weights: the reader has done it already."""
    value = net.value(operator.inputs[0])
    if value is None:
        net.emit("Identity", [net.held(operator.inputs[0])], operator.outputs[0])
    else:
        net.keep(operator.outputs[0], value)


def _fully_connected(net: Network, operator: Operator) -> None:
    weight: NDArray[Any] = net.fixed(operator, 1)
    rows = net.constant(np.array([-1, weight.shape[1]], np.int64), "shape")
    flat = net.inner("Reshape", [net.plain(operator.inputs[0]), rows], "rows")
    inputs = [flat, net.constant(weight.astype(np.float32), "weight")]
    if len(operator.inputs) > 2 and operator.inputs[2] >= 0:
        inputs.append(net.constant(net.fixed(operator, 2).astype(np.float32), "bias"))
    if len(net.shape(operator.outputs[0])) != 2:
        raise InputError("FULLY_CONNECTED with a result of other than two axes is not read")
    activated(net, operator, "Gemm", inputs, transB=1)


def _mean(net: Network, operator: Operator) -> None:
    axes = [int(axis) for axis in net.fixed(operator, 1).reshape(-1)]
    keep = int(bool(operator.options.get("KeepDims")))
    inputs = [net.plain(operator.inputs[0])]
    net.emit_plain("ReduceMean", inputs, operator.outputs[0], axes=axes, keepdims=keep)


def _softmax(net: Network, operator: Operator) -> None:
    if operator.options.get("Beta", 1.0) != 1.0:
        raise InputError(f"SOFTMAX with beta {operator.options['Beta']} is not read; valid: 1")
    net.emit_plain("Softmax", [net.plain(operator.inputs[0])], operator.outputs[0], axis=-1)


def _transpose(net: Network, operator: Operator) -> None:
    order = [int(axis) for axis in net.fixed(operator, 1)]
    net.emit_plain("Transpose", [net.plain(operator.inputs[0])], operator.outputs[0], perm=order)


OPERATORS: Final[Mapping[str, Emit]] = {
    "CONV_2D": _convolution,
    "DEPTHWISE_CONV_2D": _convolution,
    "MAX_POOL_2D": _pool("MaxPool"),
    "AVERAGE_POOL_2D": _pool("AveragePool"),
    "ADD": _elementwise("Add"),
    "SUB": _elementwise("Sub"),
    "MUL": _elementwise("Mul"),
    "DIV": _elementwise("Div"),
    "MAXIMUM": _elementwise("Max"),
    "MINIMUM": _elementwise("Min"),
    "RELU": _same("Relu"),
    "RELU6": _same("Clip", 0.0, 6.0),
    "LOGISTIC": _same("Sigmoid"),
    "TANH": _same("Tanh"),
    "HARD_SWISH": _same("HardSwish"),
    "PRELU": _prelu,
    "PAD": _pad,
    "RESHAPE": _reshape,
    "SQUEEZE": _reshape,
    "CONCATENATION": _concatenation,
    "RESIZE_BILINEAR": _bilinear,
    "DEPTH_TO_SPACE": _depth_to_space,
    "DEQUANTIZE": _dense,
    "DENSIFY": _dense,
    "FULLY_CONNECTED": _fully_connected,
    "MEAN": _mean,
    "SOFTMAX": _softmax,
    "TRANSPOSE": _transpose,
}
