from concurrent.futures import ThreadPoolExecutor

import pytest

from mien.errors import InputError
from mien.speech.phonemes import espeak


def test_keeps_stress_length_words_and_marks() -> None:
    assert espeak.phonemize("Hello, world! How are you?", "en-us") == "həlˈoʊ, wˈɜːld! hˈaʊ ɑːɹ juː?"


def test_ties_the_letters_of_one_phoneme() -> None:
    assert espeak.phonemize("church", "en-us", tie=True) == "t͡ʃˈɜːt͡ʃ"


@pytest.mark.parametrize(
    ("language", "text", "ipa"),
    [
        ("en-gb", "go home", "ɡˌəʊ hˈəʊm"),
        ("de", "Guten Tag.", "ɡˈuːtən tˈɑːk."),
        ("fr", "Bonjour !", "bo\u0303ʒˈuʁ!".replace("o", "ɔ")),
        ("es", "¿Qué tal?", "kˈe tˈal?"),
    ],
)
def test_speaks_many_languages(language: str, text: str, ipa: str) -> None:
    assert espeak.phonemize(text, language) == ipa


def test_a_foreign_word_leaves_no_language_flag() -> None:
    assert "(" not in espeak.phonemize("das Weekend the end", "de")


def test_an_unknown_language_names_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'en-us'"):
        espeak.phonemize("x", "en-usa")


@pytest.mark.parametrize("text", ["", "   ", "...", "“”", "\n"])
def test_nothing_to_say_is_empty(text: str) -> None:
    assert espeak.phonemize(text, "en-us") == ""


def test_threads_do_not_mix_languages() -> None:
    jobs = [("Guten Tag", "de"), ("good day", "en-us"), ("bonjour", "fr")] * 20
    alone = [espeak.phonemize(*job) for job in jobs]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda job: espeak.phonemize(*job), jobs)) == alone


def test_lists_its_languages() -> None:
    assert {"en-us", "en-gb", "de", "fr", "zh", "cmn"} <= espeak.languages()
