"""Small models that show what batching must mind, and a clock that stands still."""

import numpy as np
import onnx

from mien.engine.backends import onnxruntime

# A causal convolution: each place of the output depends on places before it only, so padding does no harm.
CAUSAL = """causal (float[batch, 1, n] x) => (float[batch, 1, n] out)
    <float[1, 1, 3] w = {0.5, -1.0, 2.0}, float[1] b = {0.25}>
    { y = Conv <pads = [2, 0]> (x, w, b)
      out = Tanh (y) }"""
# One that looks ahead: what is padded with zeros is not what it is alone.
LOOKING_AHEAD = (
    CAUSAL.replace("[2, 0]", "[1, 1]")
    .replace("x, w, b)", "s, w, b)")
    .replace("{ y", "{ one = Constant <value = float {1.0}> ()\n s = Add (x, one)\n y")
)
PADDED = {"pad": '{"input": "x", "axis": 2, "value": 0, "outputs": {"out": [2, 1]}}'}
# A batch is not its rows: each has the mean of all taken away.
MIXING = """mixing (float[batch, 2] x) => (float[batch, 2] out)
    { s = ReduceMean <axes = [0], keepdims = 1> (x)
      out = Sub (x, s) }"""
LOOKUP = """lookup (int64[batch, n] i) => (float[batch, n] out)
    <float[4] table = {1, 2, 3, 4}>
    { out = Gather (table, i) }"""
SCALED = """scaled (float[batch, n] x, float[1] gain) => (float[batch, n] out)
    { out = Mul (x, gain) }"""


class Clock:
    """Time that passes only when it is told to."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


class Wrapped:
    """A real engine; a test says what else happens when it runs."""

    def __init__(self, inner):
        self._inner = inner
        self.inputs, self.outputs, self.metadata = inner.inputs, inner.outputs, inner.metadata


def model(text, metadata=None):
    made = onnx.parser.parse_model(f'<ir_version: 9, opset_import: ["" : 17]>\n{text}')
    onnx.helper.set_model_props(made, metadata or {})
    return made


def engine(text, metadata=None):
    return onnxruntime.parse(model(text, metadata).SerializeToString(), onnxruntime.Options(threads=1))


def wave(n=8, seed=0, rows=1):
    return np.random.default_rng(seed).standard_normal((rows, 1, n)).astype(np.float32)
