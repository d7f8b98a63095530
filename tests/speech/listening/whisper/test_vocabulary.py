import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mien import packs
from mien.errors import CorruptError, InputError
from mien.speech.listening.whisper import vocabulary

WORDS = vocabulary.read(packs.path("whisper-tiny-en") / "tokenizer.json")


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_any_text_comes_back(text):
    assert WORDS.text(WORDS.tokens(text)) == text


def test_tokens_are_those_of_gpt2():
    assert WORDS.tokens(" Hello, world! It's 42") == [18435, 11, 995, 0, 632, 338, 5433]


def test_special_tokens_are_no_words():
    assert WORDS.text([WORDS.special["<|startoftranscript|>"], *WORDS.tokens(" yes"), WORDS.end]) == " yes"


def test_half_a_character_is_shown_as_such():
    assert WORDS.text(WORDS.tokens("余")[:1]) == "\ufffd"


def test_an_english_model_has_no_languages():
    assert WORDS.languages == {}
    assert WORDS.start("en") == [50257, 50362]
    with pytest.raises(InputError, match="whisper-base"):
        WORDS.start("zh")


def test_a_model_of_many_languages_starts_with_one():
    special = {"<|endoftext|>": 50257, "<|startoftranscript|>": 50258, "<|en|>": 50259, "<|zh|>": 50260}
    special |= {"<|translate|>": 50358, "<|transcribe|>": 50359, "<|notimestamps|>": 50363}
    words = vocabulary.Vocabulary((b"a",), special, {})
    assert words.start("zh") == [50258, 50260, 50359, 50363]
    with pytest.raises(InputError, match="'zz'"):
        words.start("zz")


@pytest.mark.parametrize(
    "data",
    [
        "",
        "[]",
        json.dumps({"model": {"vocab": {"a": 1}, "merges": []}, "added_tokens": []}),
        json.dumps({"model": {"vocab": {"\u4e00": 0}, "merges": []}, "added_tokens": []}),
    ],
)
def test_what_is_no_tokenizer_is_named(tmp_path, data):
    (tmp_path / "tokenizer.json").write_text(data)
    with pytest.raises(CorruptError, match=r"tokenizer\.json is no tokenizer"):
        vocabulary.read(tmp_path / "tokenizer.json")
