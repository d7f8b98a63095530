from fractions import Fraction

import click
import pytest

from mien.cli.options import EMOTION, FPS, SIZE


@pytest.mark.parametrize(
    ("value", "rate"),
    [
        ("30", Fraction(30)),
        ("29.97", Fraction(30000, 1001)),
        ("30000/1001", Fraction(30000, 1001)),
        ("12.5", Fraction(25, 2)),
    ],
)
def test_frame_rates_are_exact(value, rate):
    assert FPS.convert(value, None, None) == rate


@pytest.mark.parametrize("value", ["0", "-5", "abc", "1/0", "1000", "nan"])
def test_a_wrong_frame_rate_is_refused(value):
    with pytest.raises(click.BadParameter):
        FPS.convert(value, None, None)


def test_a_size_is_width_and_height():
    assert SIZE.convert("1280x720", None, None) == (1280, 720)


@pytest.mark.parametrize("value", ["1280", "1280x", "0x0", "33x32", "9999999x2", "5000x5000"])
def test_a_wrong_size_is_refused(value):
    with pytest.raises(click.BadParameter):
        SIZE.convert(value, None, None)


def test_an_emotion_has_a_strength():
    assert EMOTION.convert("sad:0.4", None, None).strength == 0.4
    with pytest.raises(click.BadParameter, match="did you mean 'happy'"):
        EMOTION.convert("hapy", None, None)
    with pytest.raises(click.BadParameter):
        EMOTION.convert("sad:loud", None, None)
