import json
from xml.etree import ElementTree

import pytest
from onnx import parser

from mien.check.table import PROBES

MODEL = """<ir_version: 9, opset_import: ["" : 17]> g (float[n, 3] x) => (float[n, 3] y) { y = Neg(x) }"""


def test_this_machine(run, tmp_path):
    code, out, err = run("check", "--json", "--junit", "report.xml", "--fail-on", "never", "--port", "0")
    assert code == 0
    assert "Traceback" not in out + err
    found = json.loads(out)["findings"]
    assert [each["name"] for each in found] == [probe.name for probe in PROBES]
    here = {each["name"]: each["status"] for each in found}
    for name in (
        "packs",
        "reference",
        "ONNX Runtime",
        "OpenVINO",
        "H.264",
        "VP9",
        "Opus",
        "port",
        "UDP ports",
    ):
        assert here[name] == "ok", [each for each in found if each["name"] == name]
    for each in found:
        assert each["tried"]
        assert each["remedy"] or each["status"] in ("ok", "not run"), each
    assert len(ElementTree.parse(tmp_path / "report.xml").findall(".//testcase")) == len(PROBES)


def test_a_machine_that_is_not_here(run):
    code, out, _ = run("check", "--target", "android-arm64", "--verbose")
    assert code == 0
    assert "nothing was run" in out
    assert out.splitlines()[-1].endswith(" s")
    assert "0.00 s" not in out
    assert "NNAPI is deprecated" in out
    code, out, _ = run("check", "--target", "android-arm64", "--fail-on", "warning", "--json")
    assert code == 1
    assert json.loads(out)["counts"]["ok"] == 0


def test_a_model_on_machines(run, tmp_path):
    (tmp_path / "m.onnx").write_bytes(parser.parse_model(MODEL).SerializeToString())
    words = ("check", "m.onnx", "--target", "linux-x64-avx2,windows-x64", "--shape", "n=1:2:3")
    code, out, _ = run(*words, "-o", "m.png")
    assert code == 0
    assert "DirectML" in out
    assert "3/3" in out
    assert out.splitlines()[-1] == "made m.png"
    assert (tmp_path / "m.png").read_bytes().startswith(b"\x89PNG")


def test_the_load_success_rate_of_a_folder(run, tmp_path):
    (tmp_path / "models").mkdir()
    (tmp_path / "models/good.onnx").write_bytes(parser.parse_model(MODEL).SerializeToString())
    (tmp_path / "models/broken.onnx").write_bytes(b"no model")
    code, out, _ = run("check", "models", "--target", "linux-x64-avx2,gpu-l4")
    assert code == 0
    assert "linux-x64-avx2  50%, 1 of 2 models" in out
    assert "1 runs, 1 refused (broken.onnx)" in out
    assert "gpu-l4  50%, 1 of 2 models" in out
    assert "broken.onnx loads nowhere: " in out
    assert "good.onnx loads nowhere" not in out


def test_a_model_that_works_nowhere(run, tmp_path):
    (tmp_path / "m.onnx").write_bytes(b"no model")
    code, out, _ = run("check", "m.onnx", "--target", "linux-x64-avx2")
    assert code == 1
    assert "refused" in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--target", "gpu-t5"), "did you mean 'gpu-t4'"),
        (("gone.onnx",), "no model 'gone.onnx'"),
        (("--shape", "n=1"), "--shape says nothing about this machine"),
        (("gone.onnx", "--fail-on", "warning"), "--fail-on says nothing about a model"),
        (("--target", "gpu-t4", "--token", "x"), "--token says nothing about a machine that is not here"),
        (("talk", "https://example.org", "--port", "9"), "--port says nothing about a server that runs"),
        (("talk",), "name one server"),
        (("talk", "example.org"), "https://example.org"),
        (("--udp", "9-1"), "no range of ports"),
    ],
)
def test_what_can_not_be_checked(run, words, told):
    code, _, err = run("check", *words)
    assert code != 0
    assert told in err
    assert "Traceback" not in err


def test_ready(run):
    code, out, _ = run("ready", "server", "--insecure", "--json")
    assert code == 1
    found = {each["name"]: each for each in json.loads(out)["findings"]}
    assert found["tokens"]["status"] == "failed"
    code, _, err = run("ready", "persona", "nobody")
    assert (code, "no persona 'nobody'" in err) == (1, True)
