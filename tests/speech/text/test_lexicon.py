from __future__ import annotations

from pathlib import Path

import pytest

from mien.errors import InputError, MissingError
from mien.speech.breath import Piece
from mien.speech.text import Lexicon, breaths


def pieces(text: str, entries: dict[str, str], language: str = "en") -> list[Piece]:
    return [p for b in breaths(text, language=language, lexicon=Lexicon(entries)) for p in b.pieces]


def test_text_ipa_and_pinyin() -> None:
    assert pieces("Use SQL.", {"SQL": "sequel"}) == [Piece("Use sequel.", "en")]
    assert pieces("I am mien.", {"mien": "/miːn/"}) == [Piece("I am", "en"), Piece("mien.", "en", "miːn")]
    assert pieces("我在重庆。", {"重庆": "chong2 qing4"}, "zh") == [
        Piece("我在", "zh"),
        Piece("重庆。", "zh", "pinyin:chong2 qing4"),
    ]


def test_whole_words_longest_first_and_case() -> None:
    entries = {"new york": "big apple", "york": "jork", "IT": "eye tee"}
    text = "New York, Yorkshire, york, it and IT"
    assert " ".join(p.text for p in pieces(text, entries)) == "big apple, Yorkshire, jork, it and eye tee"


def test_latin_words_beside_chinese() -> None:
    assert "".join(p.text for p in pieces("用SQL查", {"SQL": "sequel"}, "zh")) == "用sequel查"


def test_later_entries_win() -> None:
    both = Lexicon({"a b": "x", "c": "y"}) | Lexicon({"c": "z"})
    assert [b.text for b in breaths("a b c", language="en", lexicon=both)] == ["x z"]


def test_files(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('mien = "/miːn/"\n"New York" = "big apple"\n', encoding="utf-8")
    (tmp_path / "a.json").write_text('{"SQL": "sequel"}', encoding="utf-8")
    assert len(Lexicon.load(tmp_path / "a.toml")) == 2
    assert len(Lexicon.load(tmp_path / "a.json")) == 1


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.toml", "x = ", "is not TOML"),
        ("a.json", "{", "is not JSON"),
        ("a.json", "[1]", "must map words"),
        ("a.toml", "x = 3", "'x' is 3; give text, /IPA/ or pinyin"),
        ("a.toml", '"," = "comma"', "has no letter or digit"),
    ],
)
def test_wrong_files(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        Lexicon.load(tmp_path / name)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="no lexicon"):
        Lexicon.load(tmp_path / "no.toml")
