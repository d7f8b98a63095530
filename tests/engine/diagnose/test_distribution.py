import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mien.engine.diagnose.cause import Cause, Diagnosis, Result
from mien.engine.diagnose.distribution import distribution, models_in, svg
from mien.engine.diagnose.files import write, write_distribution
from mien.errors import MissingError, ResourceError


def result(name, *causes):
    found = tuple(Diagnosis(cause, "n", "Det", "CODE", "said <so>", "do") for cause in causes)
    return Result(Path(name), "openvino", found, 3)


RESULTS = [
    result("a.onnx"),
    result("b.onnx", Cause.OPERATOR, Cause.SHAPE),
    result("c.onnx", Cause.OPERATOR),
    result("d.onnx", Cause.CONTROL),
]


def test_models_are_counted_by_their_first_cause():
    found = distribution("openvino", RESULTS)
    assert (found.models, found.builds) == (4, 1)
    assert [(row.cause, row.models) for row in found.rows] == [(Cause.OPERATOR, 2), (Cause.CONTROL, 1)]
    assert sum(row.share for row in found.rows) == pytest.approx(1)
    assert found.rows[0].operators == (("Det", 2),)
    assert distribution("openvino", RESULTS[:1]).rows == ()


def test_the_picture_is_svg_with_a_bar_for_each_cause():
    root = ElementTree.fromstring(svg(distribution("a<b>", RESULTS)))
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[0] == "What keeps 4 models from a<b>"
    assert "operator (67%)" in texts


def test_files_are_written_whole(tmp_path):
    write_distribution("openvino", RESULTS, tmp_path / "why")
    table = json.loads((tmp_path / "why" / "causes.json").read_text())
    assert table["causes"][0]["operators"] == {"Det": 2}
    assert table["results"][1]["diagnoses"][1]["cause"] == "data-dependent shape"
    assert write(RESULTS[0], tmp_path / "none") == []
    assert not (tmp_path / "none").exists()
    (tmp_path / "file").touch()
    with pytest.raises(ResourceError):
        write(RESULTS[1], tmp_path / "file" / "why")


def test_a_folder_without_models_is_an_error(tmp_path):
    with pytest.raises(MissingError, match=r"no \.onnx or \.tflite file in"):
        models_in(tmp_path)
