import pytest

from mien.engine.targets import choose, names
from mien.engine.targets.target import parse
from mien.errors import CorruptError, InputError

TEXT = """
backend = "b"
device = "cpu"
precisions = ["fp32"]
{more}
[int8]
activations = "int8"
symmetric_activations = true
per_channel = true
reduce_range = false
quantise_bias = false
operators = ["Conv"]
[fp16]
needs_win = false
"""


def test_every_profile_reads():
    assert names() == ["cpu-avx2", "openvino", "tensorrt", "tensorrt-rtx"]
    for name in names():
        assert "int8" in choose(name).precisions
    assert choose("cpu").name == "cpu-avx2"
    assert choose("tensorrt-rtx").int8.symmetric_activations
    assert not choose("tensorrt-rtx").runs_here


def test_what_a_target_has_not_is_an_error():
    with pytest.raises(InputError, match="no target 'cpu-avx'; did you mean 'cpu-avx2'"):
        choose("cpu-avx")
    with pytest.raises(InputError, match="has no precision 'fp8'; did you mean 'fp32'"):
        choose("cpu").check("fp8")


@pytest.mark.parametrize(
    ("more", "message"),
    [("devise = 1", "unknown key 'devise'; did you mean 'device'"), ("=", "not usable"), ("", None)],
)
def test_a_profile_is_strict(more, message):
    text = TEXT.replace("{more}", more)
    if message is None:
        assert parse("t", text).int8.operators == ("Conv",)
        return
    with pytest.raises(CorruptError, match=message):
        parse("t", text)
    with pytest.raises(CorruptError, match="quantise_bias"):
        parse("t", TEXT.replace("{more}", "").replace("quantise_bias = false\n", ""))
