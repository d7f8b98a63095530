from __future__ import annotations

import math

import pytest

from mien.errors import InputError
from mien.face.feeling import Emotion, Look
from mien.speech.breath import Breath, Piece, Prosody
from mien.speech.text import breaths


def read(inner: str, language: str = "en") -> list[Breath]:
    return list(breaths(f"<speak>{inner}</speak>", language=language))


def said(inner: str, language: str = "en") -> str:
    return " ".join(breath.text for breath in read(inner, language))


def test_breaks_add_exactly() -> None:
    out = read("Hello,<break time='300ms'/> my dear.<break time='1.5s'/> Bye.<break time='2s'/>")
    assert [(b.text, b.pause_s) for b in out] == [("Hello,", 0.48), ("my dear.", 1.95), ("Bye.", 2.0)]


def test_a_break_comes_first_as_a_breath_without_pieces() -> None:
    assert read("<break time='1s'/>Hi.")[0] == Breath((), 1.0)


def test_break_none_joins() -> None:
    assert [b.text for b in read("Hello my dear,<break strength='none'/> friend.")] == [
        "Hello my dear, friend."
    ]


def test_prosody_nests_and_scales_pauses() -> None:
    slow = read(
        "<prosody rate='50%' pitch='+2st'>One two three. "
        "<prosody rate='2' volume='+6dB'>Four."
        "</prosody></prosody>"
    )
    assert slow[0].prosody == Prosody(0.5, 2.0, 0.0)
    assert slow[0].pause_s == 0.9
    assert slow[1].prosody == Prosody(1.0, 2.0, 6.0)


def test_emotion_look_and_voice_are_carried() -> None:
    out = read(
        "<mien:emotion name='happy' strength='0.6'>Yes. "
        "<mien:emotion name='sad'>No.</mien:emotion></mien:emotion>"
        "<mien:look yaw='20' pitch='-5'>There.</mien:look> <voice name='joe'>Me.</voice> Me too."
    )
    assert [b.emotion for b in out[:3]] == [Emotion("happy", 0.6), Emotion("sad"), Emotion()]
    assert out[2].look == Look(math.radians(20), math.radians(-5))
    assert [b.voice for b in out[3:]] == ["joe", None]


def test_an_empty_look_holds_from_there_on() -> None:
    out = read("Hi. <mien:look at='left'/>There. More.")
    assert [b.look is None for b in out] == [True, False, False]


def test_namespace_may_be_declared() -> None:
    text = '<?xml version="1.0"?>\n<speak xmlns:mien="urn:mien" version="1.1" xml:lang="en-GB">Hi.</speak>'
    (breath,) = breaths(text, language="en")
    assert breath.pieces == (Piece("Hi.", "en-gb"),)


def test_marks_emphasis_phonemes_and_languages_are_pieces() -> None:
    (breath,) = read(
        "Hello <mark name='a'/>big <emphasis>red</emphasis> <phoneme ph='təˈmeɪtoʊ'>tomato</phoneme> "
        "<lang xml:lang='de'>Apfel</lang>.<mark name='end'/>"
    )
    assert breath.pieces == (
        Piece("Hello", "en"),
        Piece("big", "en", mark="a"),
        Piece("red", "en", emphasis=0.6),
        Piece("tomato", "en", "təˈmeɪtoʊ"),
        Piece("Apfel.", "de"),
        Piece("", "de", mark="end"),
    )


SAY_AS = {
    ("cardinal", "1999"): ("one thousand nine hundred and ninety nine", "一千九百九十九"),
    ("ordinal", "3"): ("third", "第三"),
    ("digits", "120"): ("one two zero", "一二零"),
    ("characters", "SQL1"): ("S Q L one", "S Q L 一"),
    ("telephone", "555-0199"): ("five five five, zero one nine nine", "五五五，零幺九九"),
    ("date", "2026-03-04"): ("March fourth, twenty twenty six", "二零二六年三月四日"),
    ("time", "10:05"): ("ten oh five", "十点零五分"),
    ("currency", "USD 12.50"): ("twelve dollars and fifty cents", "十二点五零美元"),
    ("fraction", "2/3"): ("two thirds", "三分之二"),
    ("unit", "10 kg"): ("ten kilograms", "十千克"),
}


@pytest.mark.parametrize(("given", "spoken"), SAY_AS.items())
def test_say_as(given: tuple[str, str], spoken: tuple[str, str]) -> None:
    inner = f"<say-as interpret-as='{given[0]}'>{given[1]}</say-as>"
    assert (said(inner), said(inner, "zh")) == spoken


def test_date_formats() -> None:
    inner = "<say-as interpret-as='date' format='{}'>3/4/2026</say-as>"
    assert said(inner.format("mdy")) == "March fourth, twenty twenty six"
    assert said(inner.format("dmy")) == "April third, twenty twenty six"


WRONG = {
    "<speak><p>hello": r"line 1, column 8: <p> is not closed; add </p>",
    "<speak": "the text ends inside a tag",
    "<speak>\n<prosdy>x</prosdy></speak>": r"line 2, column 1: no element <prosdy>; did you mean 'prosody'",
    "<speak><p>a</s></speak>": r"column 14: mismatched tag; </p> must come first",
    "<speak><break tim='5s'/></speak>": r"no attribute 'tim'; did you mean 'time'",
    "<speak><break time='5'/></speak>": r"time '5' is not a time; write it as 500ms",
    "<speak><break time='99s'/></speak>": r"time 99 s is outside 0 to 30",
    "<speak><mien:emotion name='hapy'>a</mien:emotion></speak>": "did you mean 'happy'",
    "<speak><mien:emotion name='sad' strength='2'>a</mien:emotion></speak>": "outside 0 to 1",
    "<speak><mien:look yaw='90'>a</mien:look></speak>": "yaw 90 degrees is outside -60 to 60",
    "<speak><mien:look at='leftt'/>a</speak>": "did you mean 'left'",
    "<speak><prosody rate='9'>a</prosody></speak>": "rate 9 is outside 0.25 to 4",
    "<speak><prosody rate='quick'>a</prosody></speak>": "rate 'quick' is unknown",
    "<speak><prosody pitch='+99st'>a</prosody></speak>": "pitch 99 semitones is outside",
    "<speak><say-as interpret-as='cardnal'>1</say-as></speak>": "did you mean 'cardinal'",
    "<speak><say-as interpret-as='date' format='mdy'>33/3</say-as></speak>": "does not have the 3 numbers",
    "<speak><say-as interpret-as='cardinal'>x</say-as></speak>": "'x' is not a number",
    "<speak><phoneme alphabet='x-sampa' ph='a'>a</phoneme></speak>": "alphabet 'x-sampa' is not supported",
    f"<speak><phoneme ph='{'ə' * 101}'>a</phoneme></speak>": "101 characters, the limit is 100",
    "<speak><phoneme>a</phoneme></speak>": "needs the attribute 'ph'",
    "<speak><audio src='x'/></speak>": "no element <audio>",
    "<speak>a & b</speak>": "write & as &amp;",
    "<speak>a &nbsp; b</speak>": "undefined entity",
    "<speak>a</speak>b": "goes on after </speak>",
    "<speak>" + "<p>" * 60: "nested deeper than 40",
    "<speak><sub alias='a'><p>b</p></sub></speak>": "<p> inside <sub>; it may hold only text",
    '<!DOCTYPE s [<!ENTITY a "aa">]><speak>&a;</speak>': "DOCTYPE and entity declarations",
    '<!DOCTYPE s SYSTEM "file:///x"><speak>a</speak>': "DOCTYPE and entity",
}


@pytest.mark.parametrize(("text", "message"), WRONG.items())
def test_wrong_ssml_is_one_line_with_the_place(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        breaths(text, language="en")
    assert str(caught.value).startswith("SSML line ")
    assert "\n" not in str(caught.value)
