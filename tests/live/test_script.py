import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mien.errors import InputError
from mien.face.feeling import Emotion
from mien.live.mind import Said
from mien.live.script import Line, Phrasing, Script
from mien.speech.breath import Breath, Piece
from mien.speech.text import Lexicon


def line(text: str, state: object = None, pause_s: float = 0.0) -> Line:
    return Line(Breath((Piece(text),) if text else (), pause_s), state)


def script() -> Script:
    made = Script(1000)
    made.begin(line("one two three", "first"), 0)
    made.begin(line("four five six", "second"), 1500)
    made.begin(line("", "third"), 3000)
    made.finish(3000)
    return made


def test_words_are_heard_from_their_middle_on():
    heard = [script().heard(sample).text for sample in (0, 300, 900, 1500, 2000)]
    assert heard == ["", "one", "one two", "one two three", "one two three four"]
    assert script().heard(3000).text == "one two three four five six"


def test_states_come_with_the_words_that_were_heard():
    assert [script().heard(sample).state for sample in (0, 300, 1500, 1900, 2999, 3000)] == [
        None, "first", "first", "second", "second", "third",
    ]  # fmt: skip
    assert script().heard(3000).complete
    assert not script().heard(2000).complete


def test_a_breath_whose_end_is_open_is_taken_by_its_letters():
    made = Script(1000)
    made.begin(line("a sentence of which nobody knows how long it takes"), 0)
    assert 0 < len(made.heard(1000).text) < 30
    assert not made.heard(10**9).complete


def test_chinese_is_cut_between_characters():
    made = Script(1000)
    made.begin(line("你好，请问需要办理什么业务？"), 0)
    made.finish(2000)
    assert made.heard(1000).text in ("你好，请问需", "你好，请问需要", "你好，请问")
    assert made.heard(2000).text == "你好，请问需要办理什么业务？"


@settings(deadline=None)
@given(st.lists(st.integers(0, 4000), min_size=2, max_size=2))
def test_more_sound_never_makes_fewer_words(samples):
    low, high = sorted(samples)
    assert script().heard(high).text.startswith(script().heard(low).text)


def test_another_feeling_begins_another_breath():
    phrasing = Phrasing("en-us", Lexicon())
    lines = phrasing.feed(Said("I am sorry to hear that", Emotion("sad"), state=1))
    lines += phrasing.feed(Said("but I can help", Emotion("happy"), state=2)) + phrasing.finish()
    assert [(each.breath.text, each.breath.emotion.name, each.state) for each in lines] == [
        ("I am sorry to hear that", "sad", 1),
        ("but I can help", "happy", 2),
    ]


@settings(deadline=None)
@given(st.integers(1, 30))
def test_however_a_text_is_cut_it_becomes_the_same_breaths(size):
    text = "Hello there, my friend. This is **quite** a long text, and it costs $5."

    def spoken(pieces: list[str]) -> list[str]:
        phrasing = Phrasing("en-us", Lexicon())
        lines = [line for piece in pieces for line in phrasing.feed(Said(piece))] + phrasing.finish()
        return [line.breath.text for line in lines]

    assert spoken([text[at : at + size] for at in range(0, len(text), size)]) == spoken([text])


def test_what_can_not_be_spoken_is_an_error():
    with pytest.raises(InputError, match="no element <b>"):
        Phrasing("en-us", Lexicon()).feed(Said("<speak><b>"))


def test_feelings_and_languages_become_breaths_and_signs_alone_are_not_said():
    phrasing = Phrasing("en-us", Lexicon())
    sad = Emotion("sad", 0.5)
    pieces = [
        Said("I am sorry. ", Emotion("neutral"), "en"),
        Said("It is gone. ", sad, "en"),
        Said("It costs 12 dollars. ", sad, "en"),
        Said("您好。", Emotion("neutral"), "zh"),
        Said("😀", Emotion("happy"), "en"),
    ]
    lines = [line for piece in pieces for line in phrasing.feed(piece)] + phrasing.finish()
    spoken = [line.breath for line in lines if line.breath.pieces]
    assert [breath.emotion.name for breath in spoken] == ["neutral", "sad", "sad", "neutral"]
    assert "twelve" in spoken[2].text
    assert spoken[3].pieces[0].language == "zh"
