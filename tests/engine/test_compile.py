import dataclasses
import importlib.util
import json

import numpy as np
import onnx
import pytest

import mien.engine
from mien.engine import manifest as manifests
from mien.engine.compile import compile_model
from mien.engine.request import Request
from mien.errors import CorruptError, InputError, MissingError, ResourceError

pytestmark = pytest.mark.usefixtures("own_cache")


@pytest.fixture
def request_(net_file, data_file, tmp_path):
    return Request(net_file, tmp_path / "net.engine", precision="int8", data=str(data_file))


def test_an_int8_engine_says_what_it_is(request_, net_file):
    made = compile_model(request_)
    found = manifests.read(request_.out)
    assert found == made.manifest
    assert found.precision["int8"] == 3
    assert found.executed == {"int8 QLinearConv": 3}
    assert found.calibration["samples"] == 16
    assert set(found.calibration["tried"]) == {"minmax", "percentile", "entropy"}
    assert found.check["samples"] == 4
    assert 0 < found.check["outputs"]["out"]["rel-error"] < 0.1
    assert [record["name"] for record in found.passes][-1] == "widen-convolutions"
    assert found.rebuild.startswith(f"mien compile {net_file} --target cpu --precision int8")
    assert {trial["name"] for trial in found.trials} == {"source", "int8"}
    assert sorted(file.name for file in request_.out.iterdir()) == ["manifest.json", "model.onnx"]
    assert [p.name for p in request_.out.parent.iterdir() if p.name.endswith((".part", ".old"))] == []
    x = np.zeros((1, 4, 16), np.float32)
    assert mien.engine.load(request_.out).run(x=x)["out"].shape == (1, 1, 16)


def test_the_same_request_is_not_built_twice(request_):
    compile_model(request_)
    before = (request_.out / "model.onnx").stat().st_mtime_ns
    assert compile_model(request_).was_there
    assert (request_.out / "model.onnx").stat().st_mtime_ns == before
    assert not compile_model(dataclasses.replace(request_, keep=("third",))).was_there
    assert manifests.read(request_.out).kept == {"third": "kept by name"}


def test_a_budget_keeps_nodes_in_fp32(request_):
    whole = compile_model(request_).manifest.check["outputs"]["out"]["rel-error"]
    limit = whole / 2
    found = compile_model(dataclasses.replace(request_, budget=f"rel-error={limit}")).manifest
    assert 0 < len(found.kept) < 3
    assert found.check["outputs"]["out"]["rel-error"] <= limit
    assert all("alone costs rel-error" in reason for reason in found.kept.values())
    assert (request_.out / "pareto.png").read_bytes().startswith(b"\x89PNG")


def test_fp16_on_a_cpu_needs_a_win_or_leave(request_):
    request = dataclasses.replace(request_, precision="fp16", allow_slower=True)
    assert compile_model(request).manifest.precision["fp16"] > 0
    model = onnx.load(request_.out / "model.onnx")
    assert {t.data_type for t in model.graph.initializer if t.name.endswith("/fp16")} == {10}


def test_a_plan_for_a_gpu_is_built_here_and_refused_here(request_):
    pytest.importorskip("tensorrt_rtx_bindings", reason="the extra tensorrt-rtx is not installed")
    made = compile_model(dataclasses.replace(request_, target="tensorrt-rtx:sm89"))
    assert made.manifest.backend["name"] == "tensorrt-rtx"
    assert made.manifest.plan["compute_capabilities"] == ["8.9"]
    assert made.manifest.plan["sizes"] == {"n": [64, 64, 64]}
    assert made.manifest.executed["int8 Conv"] == 2
    assert "of 3 nodes in int8 tensorrt-rtx shows 1 that run in float" in made.notes
    assert (made.folder / "model.plan").stat().st_size == made.manifest.plan["bytes"]
    assert compile_model(dataclasses.replace(request_, target="tensorrt-rtx:sm89")).was_there
    with pytest.raises(
        ResourceError, match=r"device.kind: built for 'gpu', here 'cpu'.*rebuild it with: mien"
    ):
        mien.engine.load(request_.out)


def test_fp32_needs_no_samples_and_goes_to_the_cache(net_file, own_cache):
    made = compile_model(Request(net_file))
    assert made.folder.parent == own_cache
    assert made.notes == ("no samples: neither checked nor timed; give --data",)
    assert made.manifest.check is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"data": None}, "int8 needs samples"),
        ({"precision": "int4"}, "has no precision 'int4'"),
        ({"target": "tpu"}, "no target 'tpu'"),
        ({"target": "tensorrt-rtx:sm90"}, "builds nothing for 'sm90'; valid: sm75, sm80"),
        ({"shapes": ("n=4",)}, "target cpu-avx2 takes any size: leave --shape n=4 out"),
        ({"target": "tensorrt-rtx", "shapes": ("k=4",)}, "no input has a free axis 'k'"),
        ({"target": "cpu:sm90"}, "has no compute capabilities"),
        ({"keep": ("nothing*",)}, "no node fits 'nothing"),
        ({"calibration": "kl"}, "no calibration method 'kl'"),
        ({"budget": "rel-error=-1"}, "does not hold even with every node in fp32"),
        ({"budget": "log-mel=1"}, "log-mel needs the rate"),
    ],
)
def test_what_can_not_be_done_is_one_line_and_leaves_nothing(request_, change, message):
    with pytest.raises(InputError, match=message) as caught:
        compile_model(dataclasses.replace(request_, **change))
    assert "\n" not in str(caught.value)
    assert sorted(p.name for p in request_.out.parent.iterdir()) in (
        ["net.onnx", "samples.npz"],
        ["home", "net.onnx", "samples.npz"],
    )


def test_a_file_that_is_no_model_is_refused_before_it_is_parsed(request_, net_file):
    net_file.write_bytes(net_file.read_bytes()[:-50])
    with pytest.raises(CorruptError, match="must not be run: "):
        compile_model(request_)
    assert not request_.out.exists()


def test_a_folder_of_other_things_is_not_overwritten(request_):
    request_.out.mkdir()
    (request_.out / "letter.txt").write_text("dear")
    with pytest.raises(InputError, match="it holds other files"):
        compile_model(request_)
    assert (request_.out / "letter.txt").read_text() == "dear"


def changed(folder, **fields):
    file = folder / "manifest.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | fields))


def test_an_engine_that_does_not_fit_says_which_field(request_):
    compile_model(dataclasses.replace(request_, precision="fp32", data=None))
    changed(request_.out, backend={"name": "onnxruntime", "version": "0.1.2"})
    with pytest.raises(ResourceError, match=r"backend.version: built with 0.1.2, here .*mien compile"):
        mien.engine.load(request_.out)
    device = {"kind": "cpu", "architecture": "riscv64", "cpu_features": ["vector"]}
    changed(request_.out, device=device)
    with pytest.raises(
        ResourceError, match=r"device.architecture: built for 'riscv64'.*cpu_features.*vector"
    ):
        mien.engine.load(request_.out)


def test_a_model_that_was_changed_is_refused(request_):
    compile_model(dataclasses.replace(request_, precision="fp32", data=None))
    with (request_.out / "model.onnx").open("ab") as file:
        file.write(b"x")
    with pytest.raises(CorruptError, match="is not the one it was written with"):
        mien.engine.load(request_.out)
    for text, message in {
        "": "is not JSON",
        "[]": "has format None",
        '{"format": 1}': "not complete",
    }.items():
        (request_.out / "manifest.json").write_text(text)
        with pytest.raises(CorruptError, match=message):
            mien.engine.load(request_.out)
    assert not compile_model(dataclasses.replace(request_, precision="fp32", data=None)).was_there
    assert mien.engine.load(request_.out).inputs[0].name == "x"


def test_a_dynamically_quantised_model_is_made_float_first(tmp_path):
    from onnx import helper, numpy_helper
    from onnxruntime.quantization import quantize_dynamic

    weight = np.random.default_rng(0).standard_normal((32, 32)).astype(np.float32)
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"], "product")],
        "g",
        [info("x", 1, ["n", 32])],
        [info("y", 1, ["n", 32])],
        [numpy_helper.from_array(weight, "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, tmp_path / "float.onnx")
    quantize_dynamic(tmp_path / "float.onnx", tmp_path / "dynamic.onnx")
    assert "MatMulInteger" in {n.op_type for n in onnx.load(tmp_path / "dynamic.onnx").graph.node}
    request = Request(
        tmp_path / "dynamic.onnx", tmp_path / "m.engine", precision="int8", data="random:10,n=8"
    )
    found = compile_model(request).manifest
    assert found.passes[0]["status"] == "kept"
    assert found.precision == {"int8": 1}
    assert found.executed == {"int8 QLinearMatMul": 1}


@pytest.mark.skipif(importlib.util.find_spec("tensorrt") is not None, reason="TensorRT is installed")
def test_tensorrt_says_how_to_get_it(request_):
    with pytest.raises(MissingError, match="tensorrt is not installed; run: pip install tensorrt"):
        compile_model(dataclasses.replace(request_, target="tensorrt"))
    assert not request_.out.exists()
