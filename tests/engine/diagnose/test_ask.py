import importlib.util

import numpy as np
import onnx
import pytest
from onnx import numpy_helper, parser

from mien.engine.diagnose.ask import Backend, _copy
from mien.errors import MissingError

NET = (
    '<ir_version: 9, opset_import: ["" : 18]> net (float[n, 64] x) => (float[n, 64] y) { y = MatMul (x, w) }'
)


@pytest.fixture
def outside(tmp_path):
    """A model whose weight lies in a file beside it, among others that are none of its business."""
    model = parser.parse_model(NET)
    model.graph.initializer.append(numpy_helper.from_array(np.eye(64, dtype=np.float32), "w"))
    path = tmp_path / "net.onnx"
    onnx.save(model, path, save_as_external_data=True, location="net.data", size_threshold=0)
    (tmp_path / "secret.txt").write_text("x")
    return path


def test_a_target_finds_the_data_that_the_model_names(outside):
    model = onnx.load(outside, load_external_data=False)
    with Backend("onnxruntime-cpu") as backend:
        assert backend.ask(model, {}, folder=outside.parent).builds


def test_nothing_else_of_the_folder_is_copied(outside, tmp_path):
    model = onnx.load(outside, load_external_data=False)
    aside = tmp_path / "aside"
    aside.mkdir()
    _copy(model, outside.parent, aside)
    assert [file.name for file in aside.iterdir()] == ["net.data"]


@pytest.mark.parametrize("place", ["../outside.data", "/etc/passwd", "missing.data"])
def test_data_outside_the_folder_is_not(outside, tmp_path, place):
    (tmp_path.parent / "outside.data").write_bytes(b"x")
    model = onnx.load(outside, load_external_data=False)
    for entry in model.graph.initializer[0].external_data:
        if entry.key == "location":
            entry.value = place
    aside = tmp_path / "aside"
    aside.mkdir()
    _copy(model, outside.parent, aside)
    assert list(aside.iterdir()) == []


def test_tensorrt_is_asked_through_its_own_library_and_none_else():
    """Where it is installed it answers; where it is not, RTX does not answer for it."""
    if importlib.util.find_spec("tensorrt") is None:
        with pytest.raises(MissingError, match="tensorrt is not installed; run: pip install tensorrt"):
            Backend("tensorrt")
        return
    with Backend("tensorrt") as backend:
        assert backend.ask(parser.parse_model(NET.replace("[n, 64]", "[2, 64]")), {}).reports
