import json

import numpy as np
import pytest
from onnx import parser

from mien.engine.inspect import inspect
from mien.engine.passes import Status
from mien.engine.validate import Limits
from mien.errors import InputError, MissingError

TEXT = """<ir_version: 9, opset_import: ["" : 18]> g (float[n, 3] x) => (float[n, 3] y)
{ i = Identity(x) a = Cast<to = 11>(i) b = Cast<to = 1>(a) y = Neg(b) }"""


@pytest.fixture
def write(tmp_path):
    def to_file(text=TEXT):
        path = tmp_path / "model.onnx"
        path.write_bytes(parser.parse_model(text).SerializeToString())
        return path

    return to_file


@pytest.mark.parametrize("trusted", [True, False])
def test_findings_summary_and_passes(write, trusted):
    path = write()
    report = inspect(path, trusted=trusted)
    assert report.ok
    assert report.summary.nodes == 4
    assert report.dry_run.unchecked == ""
    kept = [record.name for record in report.dry_run.records if record.status is Status.KEPT]
    assert kept == ["dead-nodes", "cancel-casts"]
    assert json.loads(report.to_json())["passes"]["records"][1]["name"] == "dead-nodes"
    assert [file.name for file in path.parent.iterdir()] == ["model.onnx"]


def test_a_model_that_takes_no_made_up_inputs_is_said_not_to_be_checked(write):
    text = """<ir_version: 9, opset_import: ["" : 18]> g (seq(float[2]) s) => (int64 m)
    { n = SequenceLength(s) i = Identity(n) m = Neg(i) }"""
    report = inspect(write(text), trusted=True)
    assert "input 's' states no shape" in report.dry_run.unchecked
    assert Status.UNVERIFIED in [record.status for record in report.dry_run.records]


@pytest.mark.parametrize("trusted", [True, False])
def test_passes_are_checked_on_samples_that_are_given(write, tmp_path, monkeypatch, trusted):
    np.savez(tmp_path / "samples.npz", x=np.ones((3, 2, 3), np.float32))
    path = write()
    monkeypatch.chdir(tmp_path)
    report = inspect(path, trusted=trusted, data="samples.npz")
    assert "samples.npz" in report.dry_run.data
    assert [r.name for r in report.dry_run.records if r.status is Status.KEPT] == [
        "dead-nodes",
        "cancel-casts",
    ]


@pytest.mark.parametrize("trusted", [True, False])
def test_samples_that_do_not_fit_are_an_error(write, tmp_path, trusted):
    np.savez(tmp_path / "samples.npz", y=np.ones((3, 2, 3), np.float32))
    with pytest.raises(InputError, match=r"has no samples for the input .x."):
        inspect(write(), trusted=trusted, data=str(tmp_path / "samples.npz"))


def test_a_model_with_errors_is_not_run(write):
    report = inspect(write(TEXT.replace("Neg(b)", "Nege(b)")))
    assert not report.ok
    assert (report.summary, report.dry_run) == (None, None)


def test_a_model_that_asks_for_too_much_is_stopped_alone(write):
    text = """<ir_version: 9, opset_import: ["" : 18]> g (int64[n] x) => (float[a] z)
    { s = Constant<value_ints = [9000000000000]>() y = ConstantOfShape(s) i = Identity(y) z = Neg(i) }"""
    report = inspect(write(text))
    assert report.ok or report.findings[0].code == "stopped"
    if report.dry_run:
        assert "ONNX Runtime can not run" in report.dry_run.unchecked


def test_a_child_that_takes_too_long_is_a_finding(write):
    report = inspect(write(), limits=Limits(time_s=0.05))
    assert [finding.code for finding in report.findings] == ["stopped"]


def test_no_file(tmp_path):
    with pytest.raises(MissingError, match=r"none\.onnx"):
        inspect(tmp_path / "none.onnx")


def test_an_engine_is_inspected_by_its_folder(write):
    path = write()
    assert inspect(path.parent, trusted=True, passes=False).path == path
