import dataclasses

import numpy as np
import onnx
import pytest
from click.testing import CliRunner
from onnx import helper

import mien.engine
from mien.cli.compare import command as compare
from mien.engine import manifest as manifests
from mien.engine import package
from mien.engine.backends import openvino
from mien.engine.compile import compile_model
from mien.engine.request import Request
from mien.engine.runtime import Machine
from mien.errors import CorruptError, InputError, ResourceError

pytestmark = pytest.mark.usefixtures("own_cache")


@pytest.fixture
def request_(net_file, data_file, tmp_path):
    return Request(net_file, tmp_path / "net.engine", "openvino", data=str(data_file))


@pytest.fixture
def made(request_):
    return compile_model(dataclasses.replace(request_, data=None))


def test_what_was_compiled_is_read_back_and_runs_at_any_length(net_file, request_):
    made = compile_model(request_)
    found = made.manifest
    assert (found.backend["name"], found.plan["file"]) == ("openvino", "model.blob")
    assert found.executed == {"fp32 Convolution": 3}
    assert found.plan["devices"] == ["CPU"]
    assert found.plan["inputs"] == {"x": "float32"}
    assert sum(text.startswith("fp32 Convolution (") for text in found.plan["nodes"].values()) == 3
    assert found.check["outputs"]["out"]["rel-error"] < 1e-5
    engine, plain = mien.engine.load(made.folder), mien.engine.load(net_file)
    assert engine.inputs == plain.inputs
    assert engine.outputs == plain.outputs
    for length in (16, 37):
        x = np.random.default_rng(length).standard_normal((1, 4, length)).astype(np.float32)
        np.testing.assert_allclose(engine.run(x=x)["out"], plain.run(x=x)["out"], atol=1e-5)
    assert compile_model(request_).was_there
    asked = [str(made.folder), "--against", str(net_file), "--data", request_.data, "--limit"]
    assert CliRunner().invoke(compare, [*asked, "rel-error=0.0001"]).exit_code == 0
    assert CliRunner().invoke(compare, [*asked, "rel-error=0"]).exit_code == 1


def test_int8_runs_in_int8_inside_its_budget(request_):
    made = compile_model(dataclasses.replace(request_, precision="int8", budget="rel-error=0.1"))
    assert made.manifest.executed == {"int8 Convolution": 3}
    assert 0 < made.manifest.check["outputs"]["out"]["rel-error"] < 0.1
    assert not any("run in float" in note for note in made.notes)


def test_an_axis_keeps_its_name_and_requests_are_batched(tmp_path):
    one = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["batch", 4]) for name in "xy"]
    graph = helper.make_graph([helper.make_node("Tanh", ["x"], ["y"], "t")], "g", one[:1], one[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    (tmp_path / "m.onnx").write_bytes(model.SerializeToString())
    made = compile_model(Request(tmp_path / "m.onnx", tmp_path / "m.engine", "openvino"))
    engine = mien.engine.load(made.folder)
    assert engine.inputs[0].shape == ("batch", 4)
    assert engine.run(x=np.zeros((3, 4), np.float32))["y"].shape == (3, 4)


def test_an_engine_of_another_version_says_which_and_how_to_rebuild(made):
    other = dataclasses.replace(made.manifest, backend={"name": "openvino", "version": "2020.1"})
    (line,) = manifests.differences(other)
    assert line == f"backend.version: built with 2020.1, here {openvino.version()}"
    with pytest.raises(ResourceError, match=r"does not fit this machine: .*rebuild it with: mien compile"):
        manifests.check(other, made.folder)
    with pytest.raises(ResourceError, match="does not run on cuda"):
        package.load(made.folder, dataclasses.replace(package.onnxruntime.DEFAULTS, device="cuda"))


def test_what_was_compiled_is_not_taken_when_it_was_changed(made):
    (made.folder / "model.blob").write_bytes(b"no longer that")
    with pytest.raises(CorruptError, match=r"model\.blob.*rebuild it with"):
        mien.engine.load(made.folder, machine=Machine())
    with pytest.raises(ResourceError, match="OpenVINO does not take 'x' on this processor"):
        openvino.restore(b"no longer that", "x", threads=1, axes={}, metadata={})


def test_what_openvino_can_not_compile_is_an_error_and_leaves_nothing(tmp_path):
    nodes = [helper.make_node("Det", ["i"], ["o"], "det")]
    image = [
        helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape)
        for name, shape in (("i", [2, 3, 3]), ("o", [2]))
    ]
    graph = helper.make_graph(nodes, "g", image[:1], image[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    (tmp_path / "m.onnx").write_bytes(model.SerializeToString())
    out = tmp_path / "m.engine"
    with pytest.raises(InputError, match=r"OpenVINO can not build the model at Det: .*see mien diagnose"):
        compile_model(Request(tmp_path / "m.onnx", out, "openvino"))
    assert {path.name for path in tmp_path.iterdir()} <= {"m.onnx", "home"}
