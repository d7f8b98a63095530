import importlib.util
from pathlib import Path

import pytest

from mien.engine.validate import Severity, errors, validate, validate_untrusted

_spec = importlib.util.spec_from_file_location("broken", Path(__file__).with_name("broken.py"))
broken = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(broken)
WARNINGS = {"inf-weights", "opset-old"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("broken")
    broken.write(made)
    return made


@pytest.mark.parametrize("name", broken.CODES)
def test_each_is_told_what_is_wrong_and_what_to_do(name, folder):
    before = sorted(folder.iterdir())
    found = {finding.code: finding for finding in validate(folder / name)}
    finding = found[broken.CODES[name]]
    assert finding.remedy
    assert "\n" not in str(finding)
    assert finding.severity is (Severity.WARNING if finding.code in WARNINGS else Severity.ERROR)
    assert sorted(folder.iterdir()) == before


# One of each way to be stopped: before the child, by the walk, by the parser, by the checks.
@pytest.mark.parametrize(
    "name",
    ["sparse-3gb.onnx", "many-nodes.onnx", "deep-if.onnx", "truncated.onnx", "passwd.onnx", "nan.onnx"],
)
def test_a_child_finds_the_same(name, folder):
    assert validate_untrusted(folder / name) == validate(folder / name)


def test_all_is_found_at_once(tmp_path):
    model = broken.external("../secret")
    model.opset_import[0].version = 99
    model.graph.node[1].input[0] = "nothing"
    path = tmp_path / "model.onnx"
    path.write_bytes(model.SerializeToString())
    assert {f.code for f in errors(validate(path))} == {"external-escape", "opset-range", "missing-input"}


def test_external_data_beside_the_model_is_fine(tmp_path):
    (tmp_path / "w.bin").write_bytes(bytes(16))
    path = tmp_path / "model.onnx"
    path.write_bytes(broken.external("w.bin").SerializeToString())
    assert validate(path) == []


@pytest.mark.parametrize("what", ["folder", "missing"])
def test_what_is_no_file_is_said_so(what, tmp_path):
    path = tmp_path if what == "folder" else tmp_path / "none.onnx"
    (finding,) = validate_untrusted(path)
    assert finding.code == ("not-a-file" if what == "folder" else "no-file")


def test_a_device_is_never_read():
    (finding,) = validate_untrusted(Path("/dev/zero"))
    assert finding.code == "not-a-file"


def test_names_can_not_write_to_the_terminal(tmp_path):
    model = broken.model()
    model.graph.node[1].input[0] = "\x1b[2Jcleared\n"
    path = tmp_path / "model.onnx"
    path.write_bytes(model.SerializeToString())
    text = "".join(map(str, validate(path)))
    assert text.isprintable()
    assert "cleared" in text
