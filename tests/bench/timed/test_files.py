import json

import pytest

from mien.bench.timed import files, matrix
from mien.bench.timed.result import Result
from mien.errors import CorruptError, MissingError


def test_a_report_survives_its_file(tmp_path, report):
    path = tmp_path / "results.json"
    files.write(report, path)
    read = files.read(path)
    assert read.left_out == [("live", "no time")]
    assert read.command == report.command
    before, after = report.results[0], read.results[0]
    assert after.plots == before.plots
    assert after.facts == before.facts
    assert after.noise == before.noise
    assert after.series[0].samples == pytest.approx(before.series[0].samples, rel=1e-4)
    files.write(read, tmp_path / "again.json")
    assert files.read(tmp_path / "again.json") == read


def test_figures_stand_in_the_file_for_those_who_do_not_compute(tmp_path, report):
    files.write(report, tmp_path / "results.json")
    series = json.loads((tmp_path / "results.json").read_text())["benches"][0]["series"][0]
    value, low, high = series["p50"]
    assert low < value < high
    assert "p99" not in series
    assert series["count"] == 40


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "is no JSON"),
        ("[]", "no report"),
        ('{"format": 2}', "no report"),
        ('{"format": 1}', "no whole report"),
    ],
)
def test_what_is_no_report_is_refused(tmp_path, text, told):
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(CorruptError, match=told):
        files.read(tmp_path / "x.json")
    with pytest.raises(MissingError, match="mien bench all"):
        files.read(tmp_path / "none.json")


def test_a_broken_bench_or_plot_in_it_is_refused(tmp_path, report):
    table = report.to_json()
    table["benches"][0]["plots"][0]["kind"] = "waterfal"
    (tmp_path / "x.json").write_text(json.dumps(table))
    with pytest.raises(CorruptError, match="did you mean 'waterfall'"):
        files.read(tmp_path / "x.json")
    table = report.to_json()
    del table["benches"][0]["noise"]
    (tmp_path / "x.json").write_text(json.dumps(table))
    with pytest.raises(CorruptError, match="no result of a bench"):
        files.read(tmp_path / "x.json")


def test_the_matrix_of_models_and_targets(tmp_path):
    best = {"model": "a.onnx", "target": "gpu-l4", "backend": "TensorRT", "how": "inferred", "detail": "Gelu"}
    table = {
        "models": ["a.onnx"],
        "targets": ["gpu-l4"],
        "best": [best | {"verdict": "partly", "share": 0.9}],
    }
    (tmp_path / "m.json").write_text(json.dumps(table))
    status, told = matrix.read(tmp_path / "m.json").cells["a.onnx"]["gpu-l4"]
    assert status == "warning"
    assert "90% of its operators" in told
    (tmp_path / "m.json").write_text("{}")
    with pytest.raises(CorruptError, match="mien check MODEL --target all"):
        matrix.read(tmp_path / "m.json")


def test_what_was_begun_and_gave_no_figure_is_named(tmp_path, report):
    report.failed.append("live")
    report.results.append(Result("batch", complete=True))
    files.write(report, tmp_path / "report.json")
    assert files.read(tmp_path / "report.json").empty == ["live", "batch"]
