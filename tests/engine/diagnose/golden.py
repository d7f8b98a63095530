"""The fourteen small models on which checkers of TensorRT compatibility were found to disagree, generated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import ModelProto, numpy_helper

Build = Callable[[], bytes]


def _parsed(text: str, *, opset: int = 20, domains: str = "") -> ModelProto:
    return onnx.parser.parse_model(f'<ir_version: 9, opset_import: ["" : {opset}{domains}]>\n{text}')


def _weights(*shape: int) -> NDArray[np.float32]:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32) / 4


def _with(model: ModelProto, **tensors: NDArray[np.generic]) -> ModelProto:
    model.graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in tensors.items())
    return model


def integers() -> bytes:
    """INT64 and UINT8 inputs."""
    return _parsed("""g (int64[N,4] ids, uint8[N,4] pixels) => (float[N,4] y) {
        a = Cast<to=1>(ids) b = Cast<to=1>(pixels) y = Add(a, b) }""").SerializeToString()


def doubles() -> bytes:
    """FP64 arithmetic."""
    return _parsed("g (double[1,4] x) => (double[1,4] y) { a = Add(x, x) y = Mul(a, x) }").SerializeToString()


def _quantised(kind: type[np.integer], zero: int, *, per_channel: bool) -> bytes:
    model = _parsed("""g (float[1,3,16,16] x) => (float[1,4,14,14] y) {
        x_q = QuantizeLinear(x, x_scale, x_zero) x_d = DequantizeLinear(x_q, x_scale, x_zero)
        w_d = DequantizeLinear<axis=0>(w_q, w_scale, w_zero) y = Conv(x_d, w_d) }""")
    model.graph.node[0].name = "x_QuantizeLinear"
    scale = np.full(4 if per_channel else (), 0.01, np.float32)
    return _with(
        model,
        x_scale=np.array(0.02, np.float32),
        x_zero=np.array(zero, kind),
        w_q=np.clip(_weights(4, 3, 3, 3) * 100, -127, 127).astype(np.int8),
        w_scale=scale,
        w_zero=np.zeros(scale.shape, np.int8),
    ).SerializeToString()


def asymmetric() -> bytes:
    """ONNX Runtime's default QDQ: QUInt8, asymmetric."""
    return _quantised(np.uint8, 114, per_channel=False)


def symmetric() -> bytes:
    """QInt8, symmetric, per channel, bias not quantised."""
    return _quantised(np.int8, 0, per_channel=True)


def halves() -> bytes:
    """All in FP16."""
    model = _parsed("g (float16[1,3,16,16] x) => (float16[1,4,14,14] y) { a = Conv(x, w) y = Relu(a) }")
    return _with(model, w=_weights(4, 3, 3, 3).astype(np.float16)).SerializeToString()


def mixed() -> bytes:
    """FP16 and FP32 into one Add."""
    return _parsed("""g (float16[1,4] x, float[1,4] z) => (float[1,4] y) {
        a = Relu(x) b = Relu(z) y = Add(a, b) }""").SerializeToString()


def dynamic_rank() -> bytes:
    """A Reshape whose number of axes is known at run time only."""
    return _parsed(
        """g (float[2,8] x, int64[R] shape) => (float[] y) {
        a = Relu(x) b = Reshape(a, shape) y = ReduceSum(b) }"""
    ).SerializeToString()


def non_zero() -> bytes:
    """NonZero: as many columns as there are hits."""
    text = "g (float[4,4] x) => (int64[2,hits] y) { a = Relu(x) y = NonZero(a) }"
    return _parsed(text).SerializeToString()


def custom() -> bytes:
    """An operator of a domain of one's own."""
    text = "g (float[1,4] x) => (float[1,4] y) { a = Relu(x) b = mine.Snake(a) y = Relu(b) }"
    return _parsed(text, domains=', "mine" : 1').SerializeToString()


def strings() -> bytes:
    """A STRING tensor."""
    return _parsed("g (string[1] x) => (string[1] y) { y = Identity(x) }").SerializeToString()


def determinant() -> bytes:
    """Det, which TensorRT has not."""
    return _parsed("""g (float[2,4,4] x) => (float[2] y) {
        a = Relu(x) b = Add(a, x) c = Det(b) y = Relu(c) }""").SerializeToString()


def truncated() -> bytes:
    """A file that is cut short."""
    data = halves()
    return data[: len(data) - 100]


def no_profile() -> bytes:
    """A free axis, and nobody said how large it gets."""
    model = _parsed("""g (float[1,3,frames] x) => (float[1,4,frames] y) {
        a = Conv<pads=[1,1]>(x, w) y = Relu(a) }""")
    return _with(model, w=_weights(4, 3, 3)).SerializeToString()


def grid_3d() -> bytes:
    """GridSample over three axes."""
    return _parsed("""g (float[1,2,4,4,4] x, float[1,4,4,4,3] grid) => (float[1,2,4,4,4] y) {
        y = GridSample<mode="linear">(x, grid) }""").SerializeToString()


# Model → sizes given, and what is wrong for TensorRT-RTX 1.7, OpenVINO and ONNX Runtime ("": it builds).
GOLDEN: Final[dict[Build, tuple[tuple[str, ...], str, str, str]]] = {
    integers: (("N=1:2:4",), "", "", ""),
    doubles: ((), "", "", ""),
    asymmetric: ((), "asymmetric quantisation", "", ""),
    symmetric: ((), "", "", ""),
    halves: ((), "", "", ""),
    mixed: ((), "type mismatch", "type mismatch", "type mismatch"),
    dynamic_rank: ((), "data-dependent shape", "data-dependent shape", ""),
    non_zero: ((), "data-dependent shape", "", ""),
    custom: ((), "custom kernel", "custom kernel", "custom kernel"),
    strings: ((), "element type", "", ""),
    determinant: ((), "operator", "operator", ""),
    truncated: ((), "corrupt file", "corrupt file", "corrupt file"),
    no_profile: ((), "missing profile", "", ""),
    grid_3d: ((), "", "operator", ""),
}
