import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mien.errors import CorruptError, InputError, MissingError
from mien.speech.voices.kokoro import SHORTEST, KokoroVoice, sentences
from mien.speech.voices.kokoro_model import RATE_HZ, Spoken, audible, read_vocabulary


def cut(symbols, limit):
    return [symbols[first:end] for first, end in sentences(symbols, limit)]


def test_sentences_are_cut_behind_their_mark():
    assert cut("a first sentence. a second one? yes", 100) == ["a first sentence. ", "a second one? ", "yes"]


def test_a_very_short_sentence_joins_the_next():
    assert cut("no. this is one sentence. end", 100) == ["no. this is one sentence. ", "end"]


def test_a_long_sentence_is_cut_at_a_clause_then_at_a_word():
    assert cut("some words, and others behind", 15) == ["some words, ", "and others ", "behind"]
    assert cut("x" * 25, 10) == ["x" * 10, "x" * 10, "x" * 5]


@given(st.text(alphabet="ab ,.;?", max_size=120), st.integers(SHORTEST + 1, 60))
def test_no_part_is_over_the_limit_and_nothing_is_lost(symbols, limit):
    parts = cut(symbols, limit)
    assert "".join(parts) == symbols
    assert all(0 < len(part) <= limit for part in parts)


def test_silence_around_the_sound_is_trimmed_with_its_times():
    sound = np.zeros(RATE_HZ, np.float32)
    sound[6000:12_000] = 0.5
    spoken = Spoken(sound, np.array([6000, 9000, 15_000, 24_000])).trimmed(0.05, 0.1)
    assert len(spoken.sound) == 1200 + 6000 + 2400
    assert spoken.ends.tolist() == [1200, 4200, 7200, 9600]


def test_silence_has_no_audible_part():
    assert audible(np.zeros(5000, np.float32)) == (0, 5000)
    assert audible(np.zeros(0, np.float32)) == (0, 0)


@pytest.mark.parametrize(
    ("text", "error"), [("[", "not JSON"), ("[1]", "vocabulary"), ('{"a": "b"}', "vocabulary")]
)
def test_a_wrong_vocabulary_is_corrupt(text, error, tmp_path):
    (tmp_path / "vocab.json").write_text(text)
    with pytest.raises(CorruptError, match=error):
        read_vocabulary(tmp_path / "vocab.json")


def test_a_vocabulary_may_be_bare_or_wrapped(tmp_path):
    for text in ('{"a": 1}', '{"vocab": {"a": 1}}'):
        (tmp_path / "vocab.json").write_text(text)
        assert read_vocabulary(tmp_path / "vocab.json") == {"a": 1}
    with pytest.raises(MissingError, match="vocabulary"):
        read_vocabulary(tmp_path / "none.json")


class NoModel:
    """Stands where no model is asked."""


def test_the_name_tells_the_languages():
    styles = np.zeros((510, 256), np.float32)
    spoken = {name: KokoroVoice(NoModel(), styles, name=name).languages for name in ("af_sky", "zm_yunxi")}
    assert spoken == {"af_sky": {"en"}, "zm_yunxi": {"zh", "en"}}
    assert "it" in KokoroVoice(NoModel(), styles, name="my own").languages
    with pytest.raises(InputError, match="jf_alpha"):
        KokoroVoice(NoModel(), styles, name="jf_alpha")
