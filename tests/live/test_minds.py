import asyncio

import pytest

from mien.live import minds
from mien.live.mind import Asked, Exchange, Said
from mien.mind import MindState
from mien.persona import Persona


def answer(mind, asked: Asked) -> list[Said]:
    async def collect() -> list[Said]:
        asked.confirmed.set()
        return [said async for said in mind.answer(asked)]

    return asyncio.run(collect())


@pytest.mark.parametrize(
    ("text", "language", "reply"),
    [
        ("Hello.", "en", "Hello! What can I do for you?"),
        ("Goodbye!", "en", "Goodbye!"),
        ("The weather is fine.", "en", "All right, you said: the weather is fine."),
        ("你好", "zh", "你好！请说吧。"),
        ("今天天气好。", "zh", "好的，你说：今天天气好。"),
    ],
)
def test_a_persona_without_a_mind_greets_and_repeats(text, language, reply):
    [said] = answer(minds.load(Persona.load("joe")), Asked(text, language))
    assert said.text == reply


@pytest.fixture(scope="module")
def bank():
    return minds.load(Persona.load("bank"))


def test_a_personas_own_mind_answers_and_its_state_goes_along(bank):
    first = answer(bank, Asked("When are you open?", "en"))
    assert any(said.text.strip() for said in first)
    state = first[-1].state
    assert isinstance(state, MindState)
    again = answer(bank, Asked("When are you open?", "en", state=state))
    assert again[-1].state.turns == state.turns + 1
    assert first[-1].state == state, "a turn on trial must not change what was before"


def test_of_an_answer_that_was_cut_the_mind_knows_what_was_heard(bank):
    state = answer(bank, Asked("When are you open?", "en"))[-1].state
    heard = (Exchange("When are you open?", "We are", cut=True),)
    after = answer(bank, Asked("Thank you.", "en", heard, state))[-1].state
    assert ("assistant", "We are") in after.history
