import pytest

from mien.live.echo import is_echo

SAID = "Our bank is open from nine in the morning until five in the afternoon. May I help you with that?"


@pytest.mark.parametrize(
    "heard",
    [
        "from nine in the morning",
        "until five in the afternoon may I help",
        "From nine, in the mourning until five",  # a word misheard
        "help you with that",
    ],
)
def test_what_is_being_said_is_an_echo(heard):
    assert is_echo(heard, SAID)


@pytest.mark.parametrize(
    "heard",
    [
        "",
        "yes",
        "the morning",  # too short to tell
        "no, I want to open an account",
        "stop, what about Saturday",
        "morning the in nine from",  # not in order
    ],
)
def test_what_the_user_says_is_none(heard):
    assert not is_echo(heard, SAID)


def test_it_is_none_when_nothing_was_said():
    assert not is_echo("from nine in the morning", "")


def test_characters_count_as_words():
    said = "您好，我们的营业时间是早上九点到下午五点。"
    assert is_echo("营业时间是早上九点", said)
    assert not is_echo("我想开一个账户", said)


def test_what_was_said_long_before_is_no_echo():
    assert not is_echo("from nine in the morning", SAID + " And so on." * 40)
