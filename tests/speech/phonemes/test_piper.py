import pytest

from mien.errors import InputError
from mien.speech.breath import Piece
from mien.speech.phonemes import piper


def test_pieces_are_joined_and_marks_kept() -> None:
    spoken = piper.transcribe([Piece("Well,"), Piece("hello there."), Piece(", bye", "en-gb")], "en-us")
    assert spoken.symbols == "wˈɛl, həlˈoʊ ðˈɛɹ. bˈaɪ"
    assert spoken.starts == (0, 6, 19)


def test_given_ipa_wins() -> None:
    assert piper.transcribe([Piece("tomato.", phonemes="tə'mɑːto͡ʊ")], "en-us").symbols == "təˈmɑːtoʊ."


def test_accents_are_code_points_of_their_own() -> None:
    assert "\u0303" in piper.transcribe([Piece("bon", "fr")], "fr").symbols


def test_another_language_is_an_error() -> None:
    with pytest.raises(InputError, match="speaks 'en', not 'zh'"):
        piper.transcribe([Piece("你好", "zh")], "en-us")
    with pytest.raises(InputError, match="reads IPA"):
        piper.transcribe([Piece("x", phonemes="pinyin:ni3")], "en-us")
