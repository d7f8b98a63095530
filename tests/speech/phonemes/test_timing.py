from hypothesis import given
from hypothesis import strategies as st

from mien.face.phone import Phone
from mien.speech.breath import Piece
from mien.speech.phonemes import PHONE_SYMBOLS, kokoro, phones, piper
from mien.speech.phonemes.timing import PAD


def spell(symbols: str, durations: int = 1000) -> str:
    return " ".join(p.symbol or "-" for p in phones(symbols, [durations] * len(symbols), 10_000))


def test_affricates_diphthongs_and_length_are_one_phone() -> None:
    assert spell("tʃˈɜːtʃ ˈoʊ bˈaɪ n̩") == "tʃ ɜː tʃ - oʊ - b aɪ - n"


def test_kokoro_letters_are_expanded() -> None:
    assert spell("ʤˈAɪTᵊ") == "dʒ eɪ ɪ ɾ ə"


def test_mandarin_finals() -> None:
    assert spell("xwa→nʨʰai↗") == "x w a n tɕ h aɪ"


def test_hiatus_is_two_phones() -> None:
    assert spell("na→i↘kaˈɪ") == "n a i k a ɪ"


def test_times_of_marks_go_to_their_phoneme() -> None:
    got = phones("ˈəʊ,", [100, 200, 300, 2000], 10_000)
    assert got == (Phone("əʊ", 0, 600, 2), Phone("", 600, 2600))


def test_a_pad_belongs_to_what_follows_it() -> None:
    got = phones(["^", PAD, "a", PAD, "b", PAD, "$"], [900, 100, 400, 200, 300, 100, 900], 1000)
    assert got == (Phone("", 0, 900), Phone("a", 900, 1400), Phone("b", 1400, 1900), Phone("", 1900, 2900))


def test_a_short_gap_between_words_is_closed_and_a_pause_is_not() -> None:
    assert phones("a b", [100, 40, 100], 1000) == (Phone("a", 0, 120), Phone("b", 120, 240))
    assert phones("a b", [100, 80, 100], 1000)[1] == Phone("", 100, 180)


def test_silence_at_the_edges_stays() -> None:
    assert [p.symbol for p in phones("^a$", [10, 100, 10], 1000)] == ["", "a", ""]


def test_nothing_is_nothing() -> None:
    assert phones("", [], 1000) == ()


@given(
    st.lists(st.tuples(st.sampled_from("^$_ ,.ˈˌːtʃaɪʊAIʤʨʰ→↗ni\u0303"), st.integers(0, 3000)), max_size=30)
)
def test_phones_cover_the_clock(symbols: list[tuple[str, int]]) -> None:
    durations = [duration for _, duration in symbols]
    got = phones([symbol for symbol, _ in symbols], durations, 22_050)
    at = 0
    for phone in got:
        assert phone.start == at < phone.end
        assert phone.symbol in PHONE_SYMBOLS
        at = phone.end
    assert at == sum(durations) or not got


def test_every_phone_of_the_voices_is_listed() -> None:
    text = "Judge the church; measure my boy's vision now, uh-oh, button, thing, yes!"
    for spoken in (piper.transcribe([Piece(text)], "en-us"), kokoro.transcribe([Piece(text)])):
        got = phones(spoken.symbols, [500] * len(spoken.symbols), 22_050)
        assert {phone.symbol for phone in got} <= PHONE_SYMBOLS
        assert max(phone.stress for phone in got) == 2
