import dataclasses
import importlib.util
from pathlib import Path

import numpy as np
import onnx
import pytest

from mien import packs
from mien.engine import package
from mien.engine.backends import onnxruntime, openvino, tensorrt_rtx
from mien.engine.compile import compile_model
from mien.engine.diagnose import Cause, diagnose
from mien.engine.diagnose.diagnose import Options
from mien.engine.importers import imported
from mien.engine.importers.tflite import convert
from mien.engine.importers.tflite.convert import OPERATORS
from mien.engine.importers.tflite.reader import read
from mien.engine.request import Request
from mien.errors import CorruptError, InputError, MissingError

no_rtx = importlib.util.find_spec("tensorrt_rtx_bindings") is None
FACES = packs.path("faces")
MODELS = sorted(FACES.glob("*.tflite"))
SPARSE_TO_DENSE = 68  # its number in the schema
FRONT = FACES / "face_detection_front.tflite"


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_each_face_model_agrees_with_openvinos_reading_of_the_same_file(path):
    model = convert(path.read_bytes(), name=path.name)
    ours, theirs = onnxruntime.parse(model.SerializeToString()), openvino.load(path)
    assert [port.name for port in ours.outputs] == [port.name for port in theirs.outputs]
    assert [port.shape for port in ours.inputs] == [port.shape for port in theirs.inputs]
    draw = np.random.default_rng(0)
    for _ in range(2):
        (port,) = ours.inputs
        pixels = draw.uniform(-1, 1, port.shape).astype(np.float32)
        found, wanted = ours.run(**{port.name: pixels}), theirs.run(**{theirs.inputs[0].name: pixels})
        for name, value in wanted.items():
            assert found[name].shape == value.shape
            assert np.abs(found[name] - value).max() <= 1e-4 * np.abs(value).max()


def test_there_are_face_models_with_half_and_with_sparse_weights():
    graphs = {path.stem: read(path.read_bytes(), name=path.name) for path in MODELS}
    kinds = {name: {operator.kind for operator in graph.operators} for name, graph in graphs.items()}
    assert "DEQUANTIZE" in kinds["face_detection_front"]
    assert "DENSIFY" in kinds["face_detection_full_range_sparse"]
    assert set.union(*kinds.values()) <= OPERATORS.keys()


def test_no_axis_is_turned_between_convolutions():
    model = convert(FRONT.read_bytes())
    assert sum(node.op_type == "Transpose" for node in model.graph.node) <= 5


@pytest.mark.skipif(no_rtx, reason="the extra tensorrt-rtx is not installed")
def test_a_face_model_reaches_tensorrt():
    built = tensorrt_rtx.build(convert(FRONT.read_bytes()).SerializeToString(), ["8.9"], {})
    assert built.contents.executed == {"fp32 Conv": 37}
    assert built.outputs["regressors"] == "float (1, 896, 16)"


def test_a_tflite_file_compiles_and_is_compared_by_its_name(own_cache, tmp_path):
    made = compile_model(Request(FRONT, tmp_path / "front.engine", data="random:2"))
    assert made.manifest.check["outputs"]["regressors"]["rel-error"] < 1e-5
    assert made.manifest.source["path"] == str(FRONT)
    assert package.load(FRONT).outputs[0].name == "regressors"
    assert imported(FRONT).path == imported(FRONT).path
    assert (
        len([folder for folder in own_cache.iterdir() if folder.name.startswith("tflite")]) == 2
    )  # and a lock


def renamed(operator: int) -> bytes:
    """Return a face model in which every RELU is another operator."""
    tflite = pytest.importorskip("tflite")
    data = bytearray(FRONT.read_bytes())
    model = tflite.Model.GetRootAsModel(data, 0)
    for place in range(model.OperatorCodesLength()):
        code = model.OperatorCodes(place)
        if max(code.BuiltinCode(), code.DeprecatedBuiltinCode()) == tflite.BuiltinOperator.RELU:
            for field in (4, 10):  # the old field of one byte and the new one
                if offset := code._tab.Offset(field):
                    data[code._tab.Pos + offset] = operator
    return bytes(data)


def test_an_unknown_operator_is_named(tmp_path, own_cache):
    path = tmp_path / "odd.tflite"
    path.write_bytes(renamed(SPARSE_TO_DENSE))
    with pytest.raises(InputError, match="uses the TFLite operator SPARSE_TO_DENSE, which mien can not"):
        imported(path)
    (found,) = diagnose(path, "onnxruntime-cpu", Options(trusted=True)).diagnoses
    assert found.cause is Cause.OPERATOR
    assert "SPARSE_TO_DENSE" in found.evidence
    assert found.remedy.startswith("export")
    assert not [each for each in own_cache.iterdir() if each.is_dir() and each.name.startswith("tflite")]


@pytest.mark.parametrize("operator", [5, 17])  # DEPTH_TO_SPACE, MAX_POOL_2D
def test_an_operator_that_does_not_fit_its_tensors_is_a_broken_file(operator):
    with pytest.raises(CorruptError, match="operators do not fit its tensors"):
        convert(renamed(operator))


@pytest.mark.parametrize("size", [8, 100, 5_000, 200_000])
def test_a_file_that_is_cut_short_is_an_error(size, tmp_path, own_cache):
    path = tmp_path / "cut.tflite"
    path.write_bytes(FRONT.read_bytes()[:size])
    with pytest.raises(CorruptError, match="TFLite"):
        imported(path)


def test_what_is_no_tflite_file_is_an_error(tmp_path):
    with pytest.raises(CorruptError, match="is not a TFLite model"):
        convert(b"PK\3\4 and more")
    with pytest.raises(MissingError, match="no model"):
        imported(tmp_path / "nothing.tflite")
    assert imported(Path("a.onnx")).path == Path("a.onnx")


def test_bytes_turned_over_never_do_harm():
    draw, whole = np.random.default_rng(0), FRONT.read_bytes()
    for _ in range(60):
        data = bytearray(whole)
        for place in draw.integers(0, len(data), 40):
            data[place] ^= int(draw.integers(1, 255))
        try:
            onnx.checker.check_model(convert(bytes(data)))
        except (CorruptError, InputError):
            continue


def test_a_request_for_another_precision_is_another_engine(own_cache, tmp_path):
    request = Request(FRONT, tmp_path / "front.engine", precision="w8", data="random:2")
    assert compile_model(request).manifest.precision["w8"] > 5
    assert not compile_model(dataclasses.replace(request, precision="fp32")).was_there
