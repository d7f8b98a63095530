"""The policy as a pure function: what was heard is written down here, no model runs."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mien.errors import CorruptError
from mien.mind import folder, policy, replies
from mien.mind.acts import Call, HandOver, Say, Think
from mien.mind.outcome import Outcome
from mien.mind.state import Form, MindState
from mien.mind.understand import Heard, Match

from .conftest import BANK

CONTENT = folder.read(BANK)
ACCOUNT = "12345674"


def heard(text, topic=None, score=0.9, second=None, language="en"):
    matches = [Match(topic, score)] if topic else []
    return Heard(text, language, tuple(matches + ([Match(second, score - 0.01)] if second else [])))


def turn(state, *what, **more):
    thinks = more.pop("thinks", False)
    return policy.decide(CONTENT, state, heard(*what, **more), thinks=thinks)


def keys(acts):
    return [act.texts.key if isinstance(act, Say) else act for act in acts]


@pytest.fixture
def asked():
    """A conversation in which the account number was asked for."""
    state, acts = turn(MindState(), "my balance", "balance")
    assert keys(acts) == ["account.ask"]
    return state


def test_a_form_asks_confirms_and_calls(asked):
    state, acts = turn(asked, "one two three four five six seven four")
    assert keys(acts) == ["balance.confirm"]
    assert acts[0].values == {"account": ACCOUNT}
    state, acts = turn(state, "yes")
    assert acts == (Call("balance", {"account": ACCOUNT}),)
    state, acts = policy.after(CONTENT, state, acts[0], Outcome("done", {"amount": "12"}))
    assert keys(acts) == ["balance.answer"]
    assert acts[0].values["amount"] == "12"
    assert state.forms == ()


def test_the_first_words_may_hold_the_value():
    _, acts = turn(MindState(), f"balance of {ACCOUNT} please", "balance")
    assert keys(acts) == ["balance.confirm"]


def test_a_wrong_value_is_asked_again_and_then_a_human_comes(asked):
    state, acts = turn(asked, "12345675")
    assert keys(acts) == ["account.wrong"]
    state, _ = turn(state, "dunno")
    state, acts = turn(state, "dunno")
    assert keys(acts) == ["handing_over", HandOver("lost")]
    assert state.handed_over
    assert state.forms == ()


def test_no_i_meant_corrects(asked):
    state, _ = turn(asked, ACCOUNT)
    state, acts = turn(state, "no, I meant 87654323")
    assert keys(acts) == ["corrected", "balance.confirm"]
    assert acts[1].values == {"account": "87654323"}
    state, acts = turn(state, "no, it is 11111111")
    assert keys(acts) == ["account.wrong"]
    assert turn(state, ACCOUNT)[1][0].values == {"account": ACCOUNT}


def test_no_alone_asks_again(asked):
    state, _ = turn(asked, ACCOUNT)
    assert keys(turn(state, "no")[1]) == ["account.ask"]


def test_cancel_leaves_the_form(asked):
    state, acts = turn(asked, "oh, never mind")
    assert keys(acts) == ["cancelled"]
    assert state.forms == ()


def test_a_digression_comes_back(asked):
    state, acts = turn(asked, "when are you open", "branch: When are you open?")
    assert keys(acts) == ["branch: When are you open?", "back_to", "account.ask"]
    assert acts[1].values == {"title": "your balance"}
    assert state.forms == asked.forms


def test_a_form_inside_a_form_comes_back(asked):
    state, acts = turn(asked, "I want to open an account", "open_account")
    assert keys(acts) == ["type.ask"]
    assert [form.topic for form in state.forms] == ["balance", "open_account"]
    state, acts = turn(state, "stop this")
    assert keys(acts) == ["cancelled", "back_to", "account.ask"]


def test_several_slots_are_filled_and_one_is_changed():
    state, acts = turn(MindState(), "I want a savings account", "open_account")
    assert keys(acts) == ["name.ask"]
    state, acts = turn(state, "no wait, a current account")
    assert keys(acts) == ["corrected", "name.ask"]
    state, _ = turn(state, "my name is Anna")
    state, acts = turn(state, "5550001")
    assert acts[0].values == {"type": "current account", "name": "Anna", "phone": "5550001"}
    state, acts = turn(state, "no")
    assert keys(acts) == ["what_to_change"]
    state, acts = turn(state, "the name")
    assert keys(acts) == ["name.ask"]
    state, acts = turn(state, "Anne")
    assert acts[0].values["name"] == "Anne"
    state, acts = turn(state, "no, the name is Anna Lee")
    assert acts[1].values["name"].casefold() == "anna lee"


def test_a_question_that_names_a_choice_is_still_a_question():
    state, _ = turn(MindState(), "open an account", "open_account")
    question = "how much interest do I get on a savings account with you"
    _, acts = turn(state, question, "accounts: How much interest do I get on savings?")
    assert keys(acts)[1:] == ["back_to", "type.ask"]


@pytest.mark.parametrize(
    ("words", "key"), [("the second one", "account.ask"), ("the first", "type.ask"), ("no", "go_on")]
)
def test_between_two_it_asks(words, key):
    state, acts = turn(MindState(), "account", "open_account", second="balance")
    assert keys(acts) == ["clarify"]
    assert acts[0].values == {"first": "opening an account", "second": "your balance"}
    assert keys(turn(state, words)[1]) == [key]


def test_of_one_that_is_unsure_it_asks():
    state, acts = turn(MindState(), "money thing", "balance", score=0.3)
    assert keys(acts) == ["clarify_one"]
    assert keys(turn(state, "yes")[1]) == ["account.ask"]
    assert keys(turn(state, "my card is gone", "lost_card")[1]) == ["lost_card.answer", HandOver("lost_card")]


def test_not_knowing_three_times_offers_a_human():
    state, acts = turn(MindState(), "blah")
    assert keys(acts) == ["unknown"]
    state, _ = turn(state, "blah")
    state, acts = turn(state, "blah")
    assert keys(acts) == ["offer_human"]
    assert keys(turn(state, "yes please")[1]) == ["handing_over", HandOver("lost")]
    assert keys(turn(state, "no thanks")[1]) == ["go_on"]


def test_what_is_not_known_goes_to_the_model_and_what_is_known_does_not():
    state, acts = turn(MindState(), "why is the sky blue", "off_topic", score=0.1, thinks=True)
    assert acts == (Think("why is the sky blue", ("off_topic",)),)
    assert keys(turn(state, "bitcoin", "advice", thinks=True)[1]) == ["advice.answer"]


@pytest.mark.parametrize("kind", ["failed", "refused"])
def test_an_action_that_goes_wrong_is_an_apology(kind):
    call = Call("open_account", {"type": "savings"})
    assert keys(policy.after(CONTENT, MindState(), call, Outcome(kind))[1]) == [kind]


def test_it_says_again_what_it_said():
    state = MindState().said("assistant", "Nine [to] {five}.")
    _, acts = turn(state, "pardon?")
    _, parts = replies.say(state, acts[0], None, 0)
    assert parts[0].text.strip() == "Nine [to] {five}."


def test_no_wording_comes_twice_running():
    state, said = MindState(), []
    for number in range(12):
        state, acts = turn(state, "hello", "greeting")
        state, parts = replies.say(state, acts[0], None, seed=number // 6)
        said.append(parts[0].text)
    assert all(one != other for one, other in itertools.pairwise(said))


TOPICS = st.sampled_from([None, *CONTENT.topics])
WORDS = st.sampled_from(
    [
        "yes",
        "no",
        "cancel",
        ACCOUNT,
        "一二三",
        "the name",
        "Anna",
        "no, I meant 5550009",
        "savings",
        "second",
        "",
        "储蓄",
        "?",
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(WORDS, TOPICS, st.floats(0.0, 1.0), st.booleans()), max_size=12))
def test_any_conversation_has_an_answer_and_can_be_taken_up_again(turns):
    state = MindState()
    for words, topic, score, thinks in turns:
        again = MindState.from_json(state.to_json())
        assert again == state
        state, acts = turn(state, words, topic, score=score, thinks=thinks)
        assert acts
        assert (state, acts) == turn(again, words, topic, score=score, thinks=thinks)
        for act in acts:
            if isinstance(act, Say):
                state, parts = replies.say(state, act, None, 0)
                assert parts
        assert len(state.forms) <= 3


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1}', '{"format": 1, "forms": 3}', "[" * 9000])
def test_what_is_no_state_is_refused(text):
    with pytest.raises(CorruptError, match="begin a new conversation"):
        MindState.from_json(text)


def test_only_what_was_heard_stays():
    state = MindState().said("user", "a").said("assistant", "one two")
    assert state.heard_only("one").history[-1] == ("assistant", "one")
    assert state.heard_only("").history == (("user", "a"),)
    assert MindState(forms=(Form("balance"),)).heard_only("x").forms


def test_days_of_talking_do_not_grow_the_state():
    state = MindState()
    for _ in range(300):
        state = state.said("user", "x" * 50).with_used(f"key{state.turns}", 1)
    assert len(state.to_json()) < 10_000
