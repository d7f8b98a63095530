import json
from dataclasses import replace

import pytest
from onnx import parser

from mien.check import coverage
from mien.check.coverage import Asking, corners
from mien.check.matrix import Cell, Matrix, matrix, models, told
from mien.check.picture import png
from mien.check.profiles import select
from mien.engine.backends import coverage as child
from mien.errors import InputError, MissingError

GOOD = """<ir_version: 9, opset_import: ["" : 17]>
g (float[batch, 3, t] x) => (float[batch, 3, t] y) { a = Erf(x) y = Tanh(a) }"""
# Sixteen sizes of t fit, and one; no other does.
NARROW = """<ir_version: 9, opset_import: ["" : 17]>
g (float[t] x) => (float[16] y) <float[16] w = {1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1}> { y = Add(x, w) }"""
FOREIGN = """<ir_version: 9, opset_import: ["" : 17, "nobody" : 1]>
g (float[2] x) => (float[2] y) { a = nobody.Snake(x) y = Neg(a) }"""
TARGETS = "linux-x64-avx2,gpu-l4,android-arm64,windows-x64"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("models")
    for name, text in (("good", GOOD), ("narrow", NARROW), ("foreign", FOREIGN)):
        (path / f"{name}.onnx").write_bytes(parser.parse_model(text).SerializeToString())
    (path / "broken.onnx").write_bytes(b"hello")
    return path


@pytest.fixture(scope="module")
def made(folder):
    return matrix(models([str(folder)]), select(TARGETS))


def cell(made: Matrix, model: str, target: str, backend: str) -> Cell:
    return next(
        c for c in made.cells if (c.model, c.target) == (f"{model}.onnx", target) and backend in c.backend
    )


def test_libraries_are_asked_and_run(made):
    for backend in ("ONNX Runtime", "OpenVINO"):
        found = cell(made, "good", "linux-x64-avx2", backend)
        assert (found.verdict, found.how, found.share) == ("runs", "run", 1.0), found
        assert (found.corners, found.ran) == (5, 5)
    found = cell(made, "good", "gpu-l4", "TensorRT-RTX")
    assert (found.verdict, found.how, found.share) == ("builds", "run", 1.0), found
    found = cell(made, "good", "gpu-l4", "TensorRT, ")
    assert (found.verdict, found.how) == ("listed", "vendor"), found
    assert cell(made, "foreign", "gpu-l4", "TensorRT, ").verdict == "refused"


def test_tables_are_told_apart_from_runs(made):
    found = cell(made, "good", "android-arm64", "NNAPI")
    assert (found.verdict, found.how, found.share) == ("partly", "vendor", 0.5)
    assert "Erf (1)" in found.detail
    listed = cell(made, "good", "windows-x64", "DirectML")
    assert (listed.verdict, listed.how, listed.share) == ("listed", "vendor", 1.0)


def test_what_nobody_can_be_asked_stays_unknown(folder):
    (profile,) = select("windows-x64")
    silent = replace(profile, backends=(replace(profile.backends[0], ask=""),))
    made = matrix([folder / "good.onnx"], [silent])
    assert (made.cells[0].verdict, made.cells[0].share, told(made.cells)) == ("unknown", None, "")
    assert made.rate("windows-x64") == 0.0


def test_a_corner_that_does_not_run_is_found(made):
    found = cell(made, "narrow", "linux-x64-avx2", "ONNX Runtime")
    assert (found.verdict, found.corners, found.ran) == ("partly", 3, 2), found
    assert "at t=64" in found.detail


@pytest.mark.parametrize("model", ["foreign", "broken"])
def test_what_does_not_load_is_refused(made, model):
    for backend in ("ONNX Runtime", "OpenVINO"):
        assert cell(made, model, "linux-x64-avx2", backend).verdict == "refused"
    assert cell(made, model, "gpu-l4", "TensorRT-RTX").verdict == "refused"


def test_the_load_success_rate_of_a_folder(made):
    assert made.models == ("broken.onnx", "foreign.onnx", "good.onnx", "narrow.onnx")
    assert made.rate("linux-x64-avx2") == 0.25
    table = json.loads(json.dumps(made.to_dict()))
    assert table["rates"]["gpu-l4"] == made.rate("gpu-l4")
    assert len(table["best"]) == 16
    assert png(made).startswith(b"\x89PNG")


def test_a_range_of_ones_own(folder):
    with Asking({"t": (16, 16, 16)}) as asking:
        asked = asking.ask(folder / "narrow.onnx", "onnxruntime")
    assert (asked.corners, asked.ran) == (1, 1)


def test_corners():
    assert corners({}) == [{}]
    assert corners({"a": (1, 2, 4)}) == [{"a": 2}, {"a": 1}, {"a": 4}]
    assert len(corners(dict.fromkeys("abc", (1, 2, 4)))) == 9
    assert len(corners(dict.fromkeys("abcd", (1, 2, 4)))) == 3
    assert corners({"a": (1, 1, 1)}) == [{"a": 1}]


def test_kernels_are_those_of_the_registry():
    known = child._kernels()
    model = parser.parse_model(FOREIGN)
    assert [child._has(known, node, {"": 17, "nobody": 1}) for node in model.graph.node] == [False, True]


def test_every_table_names_operators_of_onnx():
    import onnx

    real = {schema.name for schema in onnx.defs.get_all_schemas_with_history() if not schema.domain}
    for name in (
        "coreml",
        "cuda",
        "directml",
        "nnapi",
        "webgpu",
        "webgpu-js",
        "xnnpack",
        "tensorrt-8-5",
        "tensorrt-10",
    ):
        known, conditions = coverage.table(name)
        assert known - real == set(), name
        assert set(conditions) <= known


@pytest.mark.parametrize("ask", ["onnxruntme", "table:nobody"])
def test_who_can_not_be_asked(ask):
    with pytest.raises(InputError):
        coverage.check_ask(ask)


def test_no_model():
    with pytest.raises(MissingError, match="no model 'gone"):
        models(["gone.onnx"])
