import numpy as np
import pytest
from onnx import parser

from mien.engine.backends.onnxruntime import parse
from mien.errors import InputError
from mien.speech.voices.kokoro_steps import stepped

NET = """
<ir_version: 9, opset_import: ["" : 18]>
net (float[1, n] x) => (float[1, n] durations, int64[1, n] frames)
{
    durations = Round (x)
    frames = Cast <to = 7> (durations)
}
"""


@pytest.fixture(scope="module")
def engine():
    return parse(stepped(parser.parse_model(NET)).SerializeToString())


@pytest.mark.parametrize(("step", "last"), [(1, 4), (7, 4), (8, 6), (10, 10), (15, 5), (40, 30)])
def test_the_last_token_fills_the_step_and_no_other_changes(engine, step, last):
    out = engine.run(x=np.array([[3, 2, 5, 4]], np.float32), step=np.array([step], np.float32))
    assert out["durations"].tolist() == [[3, 2, 5, last]]
    assert out["frames"].sum() % step == 0


def test_a_model_without_durations_is_told():
    text = '<ir_version: 9, opset_import: ["" : 18]> net (float[n] x) => (float[n] y) { y = Neg (x) }'
    with pytest.raises(InputError, match="shows no durations"):
        stepped(parser.parse_model(text))
