import pytest
from hypothesis import given
from hypothesis import strategies as st

from mien.speech.listening.completeness import completeness, is_open, least

PROBABILITIES = st.floats(0.0, 1.0)


@pytest.mark.parametrize(
    ("text", "language", "opens"),
    [
        ("I want to pay for the", "en", True),
        ("I want to pay for the...", "en", True),
        ("Um, I’m", "en", True),
        ("I want to pay for the car.", "en", False),
        ("我想把钱转给", "zh", True),
        ("我想把钱转给妈妈", "zh", False),
        ("Ich gehe and", "de", False),
        ("", "en", False),
    ],
)
def test_words_that_ask_for_another(text, language, opens):
    assert is_open(text, language) is opens


@given(PROBABILITIES, st.text(max_size=30), st.sampled_from(["en", "zh", "de", ""]))
def test_a_text_only_takes_away_and_never_more_than_the_most(probability, text, language):
    assert 0.0 < least(probability) <= completeness(probability, text, language) <= completeness(probability)


@given(PROBABILITIES, PROBABILITIES)
def test_what_sounds_more_complete_is(one, other):
    low, high = sorted((one, other))
    assert completeness(low, "I would") <= completeness(high, "I would")


def test_a_missing_full_stop_is_doubt_only_where_one_is_written():
    assert completeness(0.8, "Press two to go on", "en") < completeness(0.8, "Press two to go on.", "en")
    assert completeness(0.8, "Yes please", "en") == completeness(0.8)
    assert completeness(0.8, "ja das geht so", "de") == completeness(0.8)
