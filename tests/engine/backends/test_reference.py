import numpy as np
import pytest
from onnx import parser

from mien.engine.backends.reference import Session, seeded
from mien.errors import CorruptError, InputError

HEAD = '<ir_version: 9, opset_import: ["" : 18]>'
NOISE = parser.parse_model(
    f"{HEAD} g (float[n] x) => (float[n] y, float[n] z){{ y = RandomNormalLike(x) z = RandomNormalLike(x) }}"
)
X = {"x": np.zeros(64, np.float32)}


def test_seeded_sessions_agree_and_their_nodes_differ():
    first, second = (Session(seeded(NOISE)).run(X) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert not np.array_equal(first[0], first[1])
    assert not NOISE.graph.node[0].attribute


def test_noise_inside_a_branch_is_seeded_too():
    text = f"""{HEAD} g (bool c, float[n] x) => (float[n] y) {{ y = If(c)
    <then_branch = t () => (a) {{ a = RandomNormalLike(x) }},
    else_branch = e () => (b) {{ b = Neg(x) }}> }}"""
    model = seeded(parser.parse_model(text))
    inputs = {"c": np.array(True), **X}
    np.testing.assert_array_equal(Session(model).run(inputs), Session(model).run(inputs))


def test_reasons_are_one_line():
    with pytest.raises(CorruptError, match=r"can not load the model: .*Nege") as error:
        Session(parser.parse_model(f"{HEAD} g (float[n] x) => (float[n] y) {{ y = Nege(x) }}"))
    assert "\n" not in str(error.value)
    with pytest.raises(InputError, match="can not run the model"):
        Session(NOISE).run({"x": np.zeros((2, 2), np.float32)})
