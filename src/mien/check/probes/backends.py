"""Each backend loads, runs a small model, and agrees with the reference."""

from __future__ import annotations

from collections.abc import Callable
from importlib import metadata
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mien.check.place import Place
from mien.check.result import Result, failed, not_run, ok
from mien.engine.engine import Engine

_AT_MOST: Final = 1e-4  # of the largest value
_TEXT: Final = """<ir_version: 9, opset_import: ["" : 17]>
small (float[n, 3, 16] x) => (float[n, 4, 16] y) {
  c = Conv <pads = [1, 1]> (x, w)
  a = LeakyRelu <alpha = 0.1> (c)
  s = Sigmoid (a)
  y = Mul (a, s)
}"""


def model() -> bytes:
    """Return a model of a convolution and what voices put behind it."""
    from onnx import numpy_helper, parser

    made = parser.parse_model(_TEXT)
    made.graph.initializer.append(numpy_helper.from_array(_weights(), "w"))
    data: bytes = made.SerializeToString()
    return data


def _weights() -> NDArray[np.float32]:
    return np.sin(np.arange(36, dtype=np.float32)).reshape(4, 3, 3)


def _given() -> NDArray[np.float32]:
    return np.cos(np.arange(96, dtype=np.float32)).reshape(2, 3, 16)


def expected(x: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return what the model means, computed with NumPy alone."""
    padded = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (1, 1)))
    windows = np.stack([padded[:, :, at : at + x.shape[2]] for at in range(3)], axis=3)
    convolved = np.einsum("ncsk,ock->nos", windows, _weights().astype(np.float64))
    bent = np.where(convolved > 0, convolved, 0.1 * convolved)
    return np.asarray(bent / (1 + np.exp(-bent)), np.float64)


def reference(_: Place) -> Result:
    """ONNX Runtime without optimisation, against NumPy."""
    from onnx import ModelProto

    from mien.engine.backends.onnxruntime import version
    from mien.engine.backends.reference import Session

    session = Session(ModelProto.FromString(model()))
    return _judged(f"ONNX Runtime {version()}, not optimised", session.run({"x": _given()})[0])


def onnxruntime(_: Place) -> Result:
    """ONNX Runtime on the CPU as mien uses it."""
    from mien.engine.backends.onnxruntime import parse, version

    return _compared(f"ONNX Runtime {version()} on the CPU", lambda: parse(model()))


def openvino(_: Place) -> Result:
    """OpenVINO on the CPU."""
    from mien.engine.backends.openvino import parse, version

    return _compared(f"OpenVINO {version().split('-')[0]} on the CPU", lambda: parse(model()))


def cuda(_: Place) -> Result:
    """ONNX Runtime on the first CUDA device."""
    try:
        version = metadata.version("onnxruntime-gpu")
    except metadata.PackageNotFoundError:
        return not_run("onnxruntime-gpu is not installed")
    from mien.engine.backends.onnxruntime import Options, parse

    return _compared(f"ONNX Runtime {version} on CUDA", lambda: parse(model(), Options(device="cuda")))


def tensorrt_rtx(_: Place) -> Result:
    """TensorRT-RTX parses and builds, which needs no GPU."""
    from mien.engine.backends import tensorrt_rtx as rtx
    from mien.engine.targets import choose
    from mien.errors import MissingError

    try:
        version = rtx.version()
    except MissingError:
        return not_run("TensorRT-RTX is not installed", "pip install 'mien[tensorrt-rtx]'")
    target = choose("tensorrt-rtx")
    sizes = {"x": ([1, 3, 16], [2, 3, 16], [4, 3, 16])}
    built = rtx.build(model(), target.compute_capabilities, sizes, time_s=15.0)
    capabilities = ", ".join(target.compute_capabilities)
    return ok(
        f"TensorRT-RTX {version} parsed and built a plan for compute capability {capabilities}",
        f"{len(built.data):,} bytes in {built.seconds:.1f} s",
    )


def torch(_: Place) -> Result:
    """Eager PyTorch, where it is installed: only to compile its modules."""
    try:
        version = metadata.version("torch")
    except metadata.PackageNotFoundError:
        return not_run("PyTorch is not installed; only mien compile of its modules needs it")
    import importlib

    library = importlib.import_module("torch")
    given = library.from_numpy(_given())
    convolved = library.nn.functional.conv1d(given, library.from_numpy(_weights()), padding=1)
    bent = library.nn.functional.leaky_relu(convolved, 0.1)
    return _judged(f"PyTorch {version}", (bent * library.sigmoid(bent)).numpy())


def _compared(name: str, load: Callable[[], Engine]) -> Result:
    made = load().run(x=_given())
    return _judged(name, made["y"])


def _judged(name: str, made: NDArray[np.floating]) -> Result:
    wanted = expected(_given())
    error = float(np.abs(made - wanted).max() / np.abs(wanted).max())
    if not error <= _AT_MOST:
        return failed(
            f"{name} is wrong by {error:.2g} of the largest value",
            "pip install --force-reinstall onnxruntime openvino",
            f"allowed is {_AT_MOST:g}",
        )
    return ok(f"{name} agrees with the reference", f"to {error:.1g} of the largest value")
