import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mien.errors import InputError
from mien.speech.breath import Piece
from mien.speech.phonemes import kokoro


def symbols(text: str, language: str = "en") -> str:
    return kokoro.transcribe([Piece(text, language)]).symbols


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, world!", "həlˈO, wˈɜɹld!"),
        ("Judge the church.", "ʤˈʌʤ ðə ʧˈɜɹʧ."),
        ("a little button", "ɐ lˈɪTᵊl bˈʌtᵊn"),
        ("my boy now", "mI bˈY nˈW"),
        ("the apple", "ði ˈæpᵊl"),
    ],
)
def test_american(text: str, expected: str) -> None:
    assert symbols(text) == expected


def test_british_keeps_length_and_its_diphthongs() -> None:
    assert symbols("home, car, hot air", "en-gb") == "hˈQm, kˈɑː, hˈɒt ˈɛː"


def test_mandarin_with_punctuation() -> None:
    assert symbols("你好，银行。", "zh") == "ni↗xau↓, i↗nxa↗ŋ."


def test_languages_mix_and_starts_point_at_the_pieces() -> None:
    pieces = [Piece("我想要一个", "zh"), Piece("cappuccino"), Piece("，谢谢。", "zh")]
    spoken = kokoro.transcribe(pieces)
    assert spoken.symbols == "wo↗ ɕja↓ŋjau↘ i↗kɤ↘ kˌæpuʧˈinO, ɕje↘ɕje."
    assert [spoken.symbols[start] for start in spoken.starts] == ["w", "k", ","]


def test_latin_words_inside_mandarin_are_english() -> None:
    assert symbols("请用ATM取款", "zh") == "ʨʰi↓ŋ jʊ↘ŋ ˌAtˌiˈɛm ʨʰy↗kʰwa↓n"


def test_given_phonemes_win() -> None:
    pieces = [Piece("重庆。", "zh", "pinyin:zhong4 qing4"), Piece("tomato", "en", "təˈmɑːtəʊ")]
    assert kokoro.transcribe(pieces).symbols == "ꭧʊ↘ŋʨʰi↘ŋ. təˈmɑːtQ"


def test_bad_phonemes_and_languages_are_errors() -> None:
    with pytest.raises(InputError, match="no symbol for 'ʘ'"):
        kokoro.transcribe([Piece("x", "en", "ʘa")])
    with pytest.raises(InputError, match="does not speak 'ko'"):
        symbols("x", "ko")


CORPUS = {
    "en": "The quick brown fox jumps over the lazy dog; she sells sea shells! Loch Ness, naïve café, "
    "measure rouge, you're about fourth squirrel's eighth moor, uh-oh, hmm, nth, Bach, Llanelli, rhythm.",
    "en-gb": "Poor Clare heard bird near pure water; fire hour lawyer player, sure, the chalk little.",
    "fr": "Un bon vin blanc, œuf, feuille, nuit, agneau, bœuf, quinze, Huit heures, grenouille.",
    "es": "El niño jugó con la guitarra, ¿verdad? ¡Qué lluvia! cielo, rey, chico, zapato.",
    "it": "Gli gnocchi, pizza, zaino, scienza, ragazza, ciao, quaglia.",
    "pt": "Não, coração, mãe, lhe, ninho, tchau, dia, noite, rua.",
    "hi": "नमस्ते दुनिया, आप कैसे हैं? ज्ञान, ठंडा, ढोल, ऋषि।",
    "zh": "春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少？绿色女性居然训练，嗯，哦！儿童而且二。",
}


@pytest.mark.parametrize("language", CORPUS)
def test_every_symbol_is_in_the_vocabulary(language: str) -> None:
    spoken = symbols(CORPUS[language], language)
    assert len(spoken) > 50
    assert set(spoken) <= kokoro.VOCABULARY


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=30), st.sampled_from(sorted(CORPUS)))
def test_any_text_stays_in_the_vocabulary(text: str, language: str) -> None:
    assert set(symbols(text, language)) <= kokoro.VOCABULARY
