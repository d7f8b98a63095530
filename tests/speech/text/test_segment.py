from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mien.speech.text import breaths
from mien.speech.text.stream import TextStream

CASES = {
    "Hello. I am your digital human.": [("Hello.", 0.45), ("I am your digital human.", 0.0)],
    "I know Dr. Smith from the U.S. embassy. He is nice.": [
        ("I know Doctor Smith from the U S embassy.", 0.45),
        ("He is nice.", 0.0),
    ],
    "J. R. Tolkien wrote it. Yes.": [("J. R. Tolkien wrote it.", 0.45), ("Yes.", 0.0)],
    'I read "Yes, no. And more" today.': [('I read "Yes, no. And more" today.', 0.0)],
    "Well... Maybe not.": [("Well...", 0.5), ("Maybe not.", 0.0)],
    "One two three; four.": [("One two three;", 0.3), ("four.", 0.0)],
    "First.\n\nSecond.": [("First.", 0.8), ("Second.", 0.0)],
    "你好，欢迎来到银行。请问需要办理什么业务？": [
        ("你好，欢迎来到银行。", 0.45),
        ("请问需要办理什么业务？", 0.0),
    ],
    "他说：“你好。再见。”然后走了。": [
        ("他说：", 0.3),
        ("“你好。再见。”", 0.45),
        ("然后走了。", 0.0),
    ],
}


@pytest.mark.parametrize(("text", "spoken"), CASES.items())
def test_where_breaths_end_and_how_long_they_pause(text: str, spoken: list[tuple[str, float]]) -> None:
    language = "zh" if "。" in text else "en"
    assert [(b.text, b.pause_s) for b in breaths(text, language=language)] == spoken


def test_a_long_run_without_punctuation_parts_at_conjunctions() -> None:
    text = (
        "The quick brown fox jumps over the lazy dog and then it runs away into the deep dark forest where "
        "nobody has ever seen it again because it is afraid of hunters who come every single morning with "
        "their loud dogs"
    )
    out = [b.text for b in breaths(text, language="en")]
    assert out[1].startswith("and then")
    assert out[2].startswith("because")


def test_breaths_grow_where_the_voice_needs_time() -> None:
    text = "You said: " + "press two to access the messages that were saved in another folder of yours, " * 3

    def lengths(grows: bool) -> list[int]:
        stream = TextStream(language="en", grows=grows)
        return [len(breath.text.split()) for breath in (*stream.feed(text), *stream.finish())]

    quick, slow = lengths(False), lengths(True)
    assert sum(quick) == sum(slow)
    assert slow[0] == quick[0] == 2
    assert slow[1] <= 6
    assert quick[1] > 2 * slow[1]
    assert max(slow) > slow[1]


def test_mixed_languages_are_pieces_and_digits_follow_their_surroundings() -> None:
    (breath,) = breaths("我想用 Visa 卡付 $20", language="zh")
    assert [(p.text, p.language) for p in breath.pieces] == [
        ("我想用", "zh"),
        ("Visa", "en"),
        ("卡付二十美元", "zh"),
    ]
    (breath,) = breaths("Say 你好 to 3 men", language="en")
    assert [(p.text, p.language) for p in breath.pieces] == [
        ("Say", "en"),
        ("你好", "zh"),
        ("to three men", "en"),
    ]


@given(
    st.lists(st.sampled_from("the a red fox runs, and over, but hills; so".split()), min_size=1, max_size=80)
)
def test_no_word_is_lost_and_no_breath_is_too_long(words: list[str]) -> None:
    out = [b.text for b in breaths(" ".join(words), language="en")]
    assert " ".join(out).split() == words
    assert all(len(breath.split()) <= 22 for breath in out)
    assert len(out[0].split()) <= 12


@given(st.lists(st.sampled_from("银行业务和办理，今天。"), min_size=1, max_size=80).map("".join))
def test_chinese_breaths(text: str) -> None:
    if not any(map(str.isalnum, text)):
        return
    out = [b.text for b in breaths(text, language="zh")]
    assert "".join(c for c in "".join(out) if c.isalnum()) == "".join(c for c in text if c.isalnum())
    assert all(sum(map(str.isalnum, breath)) <= 37 for breath in out)
