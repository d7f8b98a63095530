import json

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from mien import cli


@pytest.fixture(autouse=True)
def work(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MIEN_HOME", str(tmp_path / "home"))
    weight = np.random.default_rng(0).standard_normal((8, 8, 3)).astype(np.float32)
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        [helper.make_node("Conv", ["x", "w"], ["y"], "conv")],
        "g",
        [info("x", TensorProto.FLOAT, [1, 8, "n"])],
        [info("y", TensorProto.FLOAT, [1, 8, "m"])],
        [numpy_helper.from_array(weight, "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
    x = np.random.default_rng(1).standard_normal((10, 1, 8, 20)).astype(np.float32)
    np.savez(tmp_path / "samples.npz", x=x)
    return tmp_path


def mien(monkeypatch, capsys, *words):
    monkeypatch.setattr("sys.argv", ["mien", *words])
    code = 0
    try:
        cli.main()
    except SystemExit as end:
        code = end.code or 0
    out = capsys.readouterr()
    return code, out.out, out.err


def test_compile_compare_list_prune(monkeypatch, capsys, work):
    def run(*words):
        return mien(monkeypatch, capsys, *words)

    code, out, err = run(
        "compile", "model.onnx", "--precision", "int8", "--data", "samples.npz", "-o", "m.engine"
    )
    assert code == 0, err
    assert "in the file: 2 fp32, 1 int8; onnxruntime runs 1 int8 QLinearConv" in out
    assert out.splitlines()[-1].startswith(
        "made m.engine; compare: mien compare m.engine --against model.onnx"
    )
    recorded = json.loads((work / "m.engine" / "manifest.json").read_text())["command"]
    assert recorded[:3] == ["mien", "compile", "model.onnx"]

    code, out, err = run("compare", "m.engine", "--against", "model.onnx", "--data", "samples.npz")
    assert code == 0, err
    assert "the tightest limit that holds: rel-error=0.0" in out
    code, out, err = run(
        "compare",
        "m.engine",
        "--against",
        "model.onnx",
        "--data",
        "samples.npz",
        "--limit",
        "rel-error=1e-9",
        "--json",
    )
    assert code == 1
    assert json.loads(out)["samples"] == 10
    assert "the limit is 1e-09" in err

    assert run("compile", "model.onnx")[0] == 0
    assert "1 engines" in run("engines", "list")[1]
    assert "removed 1 engines" in run("engines", "prune", "--all")[1]
    assert "0 engines" in run("engines", "list")[1]


def test_errors_are_one_line(monkeypatch, capsys):
    for words in (
        ("compile", "none.onnx"),
        ("compile", "model.onnx", "--precision", "int8"),
        ("compare", "model.onnx", "--against", "model.onnx", "--data", "none.npz"),
    ):
        code, _, err = mien(monkeypatch, capsys, *words)
        assert code == 1
        assert err.startswith("mien: ")
        assert len(err.splitlines()) == 1


def test_diagnose_names_the_cause_and_writes_the_smallest_part(monkeypatch, capsys, work):
    def run(*words):
        return mien(monkeypatch, capsys, "diagnose", *words, "--target", "openvino", "--trusted")

    code, out, err = run("model.onnx")
    assert (code, out.splitlines()[-1]) == (
        0,
        "model.onnx builds for openvino; next: mien compile model.onnx",
    )
    info = helper.make_tensor_value_info
    nodes = [helper.make_node("Relu", ["x"], ["a"]), helper.make_node("Det", ["a"], ["y"], "size")]
    graph = helper.make_graph(nodes, "g", [info("x", 1, [2, 4, 4])], [info("y", 1, [2])])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    (work / "bad").mkdir()
    (work / "bad" / "det.onnx").write_bytes(model.SerializeToString())
    code, out, err = run("bad/det.onnx", "-o", "why")
    assert code == 1
    assert out.startswith("operator at Det size\n  said: No conversion rule found for operations: Det")
    assert "smallest part that fails alike: 1 of 2 nodes: Det" in out
    assert err == (
        "mien: bad/det.onnx does not build for openvino: operator; the smallest parts are in why\n"
    )
    assert (work / "why" / "det" / "part-1.onnx").is_file()
    code, out, err = run("bad", "--json", "--no-reduce")
    assert code == 1
    assert json.loads(out)["causes"] == [
        {"cause": "operator", "models": 1, "share": 1.0, "operators": {"Det": 1}}
    ]
    (work / "bad" / "good.onnx").write_bytes((work / "model.onnx").read_bytes())
    code, out, err = run("bad", "--no-reduce")
    assert code == 1
    assert "1 of 2 models build for openvino" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["model.onnx", "--target", "openvin"],
            "no target 'openvin' to diagnose for; did you mean 'openvino'?",
        ),
        (["nothing.onnx", "--target", "openvino"], "no model 'nothing.onnx'"),
        (["home", "--target", "openvino"], "no model 'home'"),
        (["model.onnx", "--target", "tensorrt-rtx:sm90"], "builds nothing for 'sm90'; valid: sm75"),
        (["model.onnx", "--target", "tensorrt-rtx", "--shape", "n"], "'n' is no shape; write AXIS=LEAST"),
        (["model.onnx", "--target", "openvino", "--shape", "n=4"], "target openvino takes any size: leave"),
        (["model.onnx", "--target", "tensorrt-rtx", "--shape", "k=4"], "no input has a free axis 'k'"),
    ],
)
def test_diagnose_refuses_in_one_line(monkeypatch, capsys, words, message):
    code, _, err = mien(monkeypatch, capsys, "diagnose", *words)
    assert code == 1
    assert err.startswith(f"mien: {message}") or message in err
    assert err.count("\n") == 1
