"""Languages, digits, signals, values and wording: the pure parts that read a turn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mien.mind import digits, manners, values
from mien.mind.content import Slot
from mien.mind.language import of_turn
from mien.mind.lexical import Lexicon
from mien.mind.signals import begins, holds
from mien.mind.template import NOTHING, Texts, render

OWN, _ = manners.read(None)
ENGLISH = dict(zip("0123456789", "zero one two three four five six seven eight nine".split(), strict=True))
CHINESE = dict(zip("0123456789", "零一二三四五六七八九", strict=True))


@pytest.mark.parametrize(
    ("text", "before", "language"),
    [
        ("I want an account", "zh", "en"),
        ("我要开户", "en", "zh"),
        ("我要下载你们的 app", "en", "zh"),
        ("OK", "zh", "zh"),
        ("12 34", "zh", "zh"),
        ("what does 余额 mean in English", "zh", "en"),
        ("", "en", "en"),
    ],
)
def test_the_language_is_the_turns_own(text, before, language):
    assert of_turn(text, before, ("en", "zh")) == language


def test_a_language_that_the_persona_does_not_speak_changes_nothing():
    assert of_turn("我要开户", "en", ("en",)) == "en"


@given(st.text("0123456789", min_size=1, max_size=20))
def test_spoken_digits_are_the_written_ones(number):
    assert digits.runs(" ".join(ENGLISH[digit] for digit in number)) == [number]
    assert digits.runs("".join(CHINESE[digit] for digit in number)) == [number]
    assert digits.runs(f"it is {number}.") == [number]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("double five, triple oh, one", ["550001"]),
        ("twenty one forty", ["2140"]),
        ("nineteen eighty", ["1980"]),
        ("12-34 56", ["123456"]),
        ("幺三八 0013", ["1380013"]),
        ("请查一下 1234", ["1", "1234"]),
        ("double", []),
        ("none", []),
    ],
)
def test_digits_in_other_forms(text, found):
    assert digits.runs(text) == found


@given(st.text("0123456789", min_size=1, max_size=18))
def test_one_check_digit_of_ten_is_right(body):
    assert sum(digits.luhn(body + digit) for digit in "0123456789") == 1


@pytest.mark.parametrize(
    ("text", "name", "rest"),
    [
        ("Yes, please.", "yes", ""),
        ("um well yes", "yes", ""),
        ("No, I meant 5", "no", "i meant 5"),
        ("不对，是五", "no", "是五"),
        ("对的", "yes", ""),
        ("不是", "no", ""),
        ("好像不对", None, ""),
        ("Norway", None, ""),
    ],
)
def test_yes_and_no(text, name, rest):
    signal = begins(text, OWN, "yes", "no")
    assert (signal.name, signal.rest) == (name, rest) if name else signal is None


def test_cancel_only_in_short_sentences():
    assert holds("oh, please cancel that", OWN, "cancel")
    assert holds("还是算了吧", OWN, "cancel")
    assert not holds("what does it cost to cancel a transfer that I made last week", OWN, "cancel")


ACCOUNT = Slot("account", "digits", NOTHING, least=8, most=8, luhn=True)
KIND = Slot(
    "kind",
    "choice",
    NOTHING,
    options={"a": {"en": ("savings", "savings account")}, "b": {"en": ("current",)}},
)
NAME = Slot("name", "text", NOTHING, least=2, most=20)
SUM = Slot("sum", "number", NOTHING, least=1, most=50)


@pytest.mark.parametrize(
    ("slot", "text", "value"),
    [
        (ACCOUNT, "it is 1234 5674", "12345674"),
        (ACCOUNT, "一二三四五六七四", "12345674"),
        (ACCOUNT, "one two three four five six seven five", None),
        (ACCOUNT, "123", None),
        (KIND, "a savings account please", "a"),
        (KIND, "savings or current?", None),
        (KIND, "neither", None),
        (NAME, "My name is Anna Lee.", "Anna Lee"),
        (NAME, "我叫王小明。", "王小明"),
        (NAME, "Isabel", "Isabel"),
        (NAME, "A", None),
        (SUM, "2.5 please", "2.5"),
        (SUM, "seven", "7"),
        (SUM, "900", None),
    ],
)
def test_values_are_found_and_checked(slot, text, value):
    assert values.find(slot, text, OWN) == value


def test_the_rare_word_counts_more():
    lexicon = Lexicon(["open an account", "open the door", "我要开户", "我要挂失"])
    scores = lexicon.scores("an account to open")
    assert scores[0] > scores[1] > scores[2] == 0
    assert lexicon.scores("开户")[2] > lexicon.scores("开户")[3]
    assert lexicon.scores("").tolist() == [0, 0, 0, 0]


def test_feelings_split_a_text_into_parts():
    parts = list(
        render("[sad 0.5] Sorry, {name}. [happy] {n|digits}, {n|last4}!", {"name": "Li", "n": "12345"}, "en")
    )
    assert [(part.text.strip(), part.emotion.name, part.emotion.strength) for part in parts] == [
        ("Sorry, Li.", "sad", 0.5),
        ("1 2 3 4 5, 2 3 4 5!", "happy", 1.0),
    ]


def test_values_are_never_read_as_templates():
    (part,) = render("{name}!", {"name": "[sad] {n}"}, "en")
    assert part.text == "[sad] {n}!"


def test_another_language_takes_what_there_is():
    assert Texts("k", {"en": ("a",)}).of("zh") == ("a",)
