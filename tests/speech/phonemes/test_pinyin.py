import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mien.errors import InputError
from mien.speech.phonemes.kokoro import VOCABULARY
from mien.speech.phonemes.pinyin import split_tone, syllable_ipa


@pytest.mark.parametrize(
    ("pinyin", "ipa"),
    [
        ("chong2", "ꭧʰʊ↗ŋ"),
        ("qing4", "ʨʰi↘ŋ"),
        ("zhi1", "ꭧɨ→"),
        ("si4", "sɨ↘"),
        ("yi1", "i→"),
        ("yu3", "y↓"),
        ("nü3", "ny↓"),
        ("lv4", "ly↘"),
        ("lǜ", "ly↘"),
        ("xue2", "ɕɥe↗"),
        ("jun1", "ʨy→n"),
        ("yuan2", "ɥɛ↗n"),
        ("you3", "jou↓"),
        ("wei4", "wei↘"),
        ("liu2", "ljou↗"),
        ("gui4", "kwei↘"),
        ("bo1", "pwo→"),
        ("er4", "ɚ↘"),
        ("de5", "tɤ"),
        ("de", "tɤ"),
        ("yo1", "jɔ→"),
    ],
)
def test_spells_syllables(pinyin: str, ipa: str) -> None:
    assert syllable_ipa(pinyin) == ipa


def test_erhua_drops_the_final_nasal() -> None:
    assert syllable_ipa("dian3", erhua=True) == "tjɛ↓ɚ"


@pytest.mark.parametrize(
    ("pinyin", "expected"), [("nǚ", ("nv", 3)), ("hao3", ("hao", 3)), ("ma", ("ma", 5)), ("ê4", ("ê", 4))]
)
def test_splits_tone(pinyin: str, expected: tuple[str, int]) -> None:
    assert split_tone(pinyin) == expected


@pytest.mark.parametrize("bad", ["foo9", "xyz1", "", "zh", "ni hao", "ni6", "bb4"])
def test_refuses_what_is_no_syllable(bad: str) -> None:
    with pytest.raises(InputError, match="no pinyin syllable"):
        syllable_ipa(bad)


@given(st.text(max_size=8))
def test_any_text_is_a_syllable_or_an_error(text: str) -> None:
    with contextlib.suppress(InputError):
        assert set(syllable_ipa(text)) <= VOCABULARY


def test_every_reading_of_the_dictionary_has_a_spelling() -> None:
    pypinyin = pytest.importorskip("pypinyin")
    readings = {r for entry in pypinyin.constants.PINYIN_DICT.values() for r in entry.split(",")} - {"wòng"}
    assert len(readings) > 1500
    for reading in readings:
        assert set(syllable_ipa(reading)) <= VOCABULARY
