from __future__ import annotations

import socket
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mien.errors import InputError, MienError
from mien.speech.breath import Breath
from mien.speech.text import Lexicon, TextStream, breaths

ATOMS = (
    *"Hello|world| | |\n|\n\n|. |.|,|, |! |? |...|…|**|*|_|`|```|```\n|[a link](http://x.y/z)|[|](|]".split(
        "|"
    ),
    *")|(|<b>|<|&amp;|&|#|# |- |1. |12|.50|$12.50|Dr. |e.g. |U.S. |😀|👨‍👩‍👧|1️⃣|你好|，|。|重庆|“|”".split(
        "|"
    ),
    *'"|《|》|3/4/2026|10:30 am|\\|~~|~|—|-|---\n|> |é|\u202e|\ud83d|\ude00|\r\n|\r|\x00|%|=|because |![x](y)|https://a.b/c_d'.split(
        "|"
    ),
    *("|", "| a | b |\n", "|---|---|\n"),
)
TAGS = (
    *"Hello |world. |<p>|</p>|<break time='1s'/>|<mark name='a'/>|<prosody rate='fast'>|</prosody>".split(
        "|"
    ),
    *"你好。|😀|&amp;|5 |<sub alias='x y'>z</sub>|<phoneme ph='a'>b</phoneme>|</speak>".split("|"),
    "<say-as interpret-as='cardinal'>12</say-as>",
)
plain = st.lists(st.sampled_from(ATOMS), max_size=30).map("".join)
ssml = st.lists(st.sampled_from(TAGS), max_size=20).map(lambda parts: f"<speak>{''.join(parts)}</speak>")
anything = st.text(st.characters(codec=None), max_size=60)


def said(text: str, language: str = "en", **options: object) -> list[str]:
    return [breath.text for breath in breaths(text, language=language, **options)]  # type: ignore[arg-type]


def run(parts: list[str], language: str) -> list[Breath] | str:
    stream = TextStream(language=language)
    try:
        out = [breath for part in parts for breath in stream.feed(part)]
        return out + stream.finish()
    except MienError as error:
        return str(error)


@given(
    plain | ssml | anything, st.lists(st.integers(0, 400), max_size=12), st.sampled_from(["en", "zh", "de"])
)
def test_any_split_of_a_text_gives_the_same_breaths(text: str, cuts: list[int], language: str) -> None:
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    whole = run([text], language)
    assert run([text[a:b] for a, b in pairwise(places)], language) == whole
    assert run(list(text), language) == whole


@given(plain | anything)
@example("<Hello`<b>")
@example("a \\` b")
@example("a&#96;b")
def test_every_breath_but_a_pause_is_heard_and_holds_no_marks_of_markup(text: str) -> None:
    out = run([text], "en")
    if isinstance(out, list):
        assert out[-1].pause_s == 0.0
        for breath in out:
            assert any(map(str.isalnum, breath.text))
            assert not set(breath.text) & set("`😀\u202e\x00\ud83d")


def test_the_first_breath_comes_before_the_text_is_complete() -> None:
    stream = TextStream(language="en")
    out = [breath.text for token in ("Hel", "lo", ". I", " am", " here") for breath in stream.feed(token)]
    assert out == ["Hello."]


@pytest.mark.parametrize(
    ("parts", "spoken"),
    [
        (["It costs $12.", "50 now."], "It costs twelve dollars and fifty cents now."),
        (["Ask Dr", ". Sm", "ith."], "Ask Doctor Smith."),
        (["Be *", "*bold*", "* now."], "Be bold now."),
        (["See [the", " docs](http", "://x.y) now."], "See the docs now."),
        (["Hi \ud83d", "\ude00 you."], "Hi you."),
        (["Hi 👨\u200d", "👩\u200d👧 you."], "Hi you."),
        (["AT&a", "mp;T is big."], "AT and T is big."),
        (["One ``", "`not code``", "` two"], "One not code two"),
    ],
)
def test_half_of_something_never_reaches_the_voice(parts: list[str], spoken: str) -> None:
    stream = TextStream(language="en")
    out = [breath.text for part in parts for breath in stream.feed(part)]
    assert " ".join(out + [breath.text for breath in stream.finish()]) == spoken


@pytest.mark.parametrize("text", ["", "  \n\t ", "\x00\x01", "\u200e"])
def test_empty(text: str) -> None:
    with pytest.raises(InputError, match="the text is empty; give words"):
        breaths(text, language="en")


@pytest.mark.parametrize(
    "text", ["😀 👍", "```\nprint(1)\n```", "***", "...", "<speak><break/></speak>", "|---|"]
)
def test_nothing_to_speak(text: str) -> None:
    with pytest.raises(InputError, match="nothing to speak"):
        breaths(text, language="en")


def test_too_long_says_the_limit_and_what_to_do() -> None:
    with pytest.raises(InputError, match=r"11 characters, the limit is 10; split it"):
        breaths("hello world", language="en", max_chars=10)
    stream = TextStream(language="en", max_chars=10)
    stream.feed("hello ")
    with pytest.raises(InputError, match="the limit is 10"):
        stream.feed("world")


def test_a_hundred_thousand_characters_are_spoken_lazily() -> None:
    text = ("It was the best of times, it was the worst of times. " * 2000)[:100_000]
    out = breaths(text, language="en")
    assert next(out).text == "It was the best of times,"
    assert sum(1 for _ in out) > 1800


@pytest.mark.parametrize(
    "unit", ["a", "的", "[", "<a ", "a*", '"a ', "&a", "1", "12,345.67 ", "|a", "(", "`a", "[a](b", "."]
)
def test_hostile_repetition_takes_linear_time(unit: str) -> None:
    out = list(breaths("Hi. " + unit * (4000 // len(unit)), language="en"))
    assert max(len(breath.text) for breath in out) < 4000


def test_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no network")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert said("I have 5 apples.") == ["I have five apples."]


def test_lexicon_is_used() -> None:
    assert said("I use SQL.", lexicon=Lexicon({"SQL": "sequel"})) == ["I use sequel."]
