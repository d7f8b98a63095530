"""What a server asks of a session beyond sound and text: answers on demand, as text, to nobody's words."""

import asyncio
from dataclasses import dataclass, field

import pytest
from tests.live.conftest import RATE, Echo, Tone, words

from mien.audio.pcm import Pcm
from mien.live.events import Committed, Continued, Done, Interrupted, Stretch, Unspoken
from mien.live.mind import Said
from mien.live.options import SessionOptions
from mien.mind.brief import Brief, FunctionCall
from mien.speech.listening import Final, Partial, Pause, SpeechStarted, SpeechStopped


def said(text, generation=1):
    heard = words(text)
    return [
        SpeechStarted(0, generation),
        Pause(0, generation),
        Partial(0, generation, heard, 0, "en", is_complete=True),
        SpeechStopped(0, generation, 0.9),
        Final(0, generation, heard, "en", 0.9, is_backchannel=False, revised=0),
    ]


def test_what_is_heard_of_oneself_does_not_end_an_answer(staged):
    async def play(stage):
        stage.session.text("the weather")
        await asyncio.sleep(1.5)
        stage.ears.tell(*said("you said the weather"))
        await asyncio.sleep(8.0)

    stage = staged(play)
    assert [event.reason for event in stage.of(Unspoken)] == ["echo"]
    assert len(stage.of(Continued)) == 1
    assert stage.of(Interrupted) == []
    assert len(stage.mind.asked) == 1


def test_the_end_of_an_answer_that_comes_back_is_not_answered(staged):
    async def play(stage):
        stage.session.text("the weather")
        await asyncio.sleep(3.0)
        stage.ears.tell(SpeechStarted(0, 1))
        await asyncio.sleep(3.0)
        assert stage.of(Done)
        stage.ears.tell(*said("like to know about it")[3:])
        await asyncio.sleep(1.0)

    stage = staged(play, options=SessionOptions(barge_in="words"))
    assert [event.reason for event in stage.of(Unspoken)] == ["echo"]
    assert len(stage.mind.asked) == 1


def test_who_repeats_words_later_is_answered(staged):
    async def play(stage):
        stage.session.text("the weather")
        await asyncio.sleep(6.0)
        assert stage.of(Done)
        stage.ears.tell(*said("like to know about it"))
        await asyncio.sleep(2.0)

    assert len(staged(play).mind.asked) == 2


def test_a_session_that_does_not_answer_tells_what_was_said(staged):
    async def play(stage):
        stage.ears.tell(*said("what is the time"))
        await asyncio.sleep(1.0)
        stage.session.change(SessionOptions())
        stage.ears.tell(*said("and the weather", 2))
        await asyncio.sleep(1.0)

    stage = staged(play, options=SessionOptions(answers=False))
    first, second = stage.of(Committed)
    assert (first.turn, first.text) == (0, "what is the time")
    assert second.turn > 0
    assert [asked.text for asked in stage.mind.asked] == ["and the weather"]


def test_an_answer_can_be_written_and_is_remembered(staged):
    texts = []

    async def play(stage):
        async for text in stage.session.write("the weather"):
            texts.append(text)
        stage.session.text("more")
        await asyncio.sleep(1.0)

    stage = staged(play)
    assert "".join(texts).startswith("You said the weather.")
    assert stage.mind.asked[1].history[0].answer == "".join(texts)
    assert stage.mind.asked[1].state == 1


def test_a_persona_can_begin(staged):
    async def play(stage):
        stage.session.greet()
        await asyncio.sleep(1.0)

    assert staged(play).mind.asked[0].text == ""


def test_a_function_is_called_when_its_answer_was_heard(staged):
    call = FunctionCall("1", "look", "{}")
    mind = Echo(answer_with=lambda asked: [Said("One moment."), Said("", call=call)])

    async def play(stage):
        stage.session.brief = Brief("Be brief.")
        stage.session.text("look")
        await asyncio.sleep(4.0)

    stage = staged(play, mind=mind)
    assert stage.of(Done)[0].calls == (call,)
    assert stage.mind.asked[0].brief.instructions == "Be brief."


def test_an_answer_may_be_a_call_alone(staged):
    call = FunctionCall("1", "look", "{}")

    async def play(stage):
        stage.session.text("look")
        await asyncio.sleep(2.0)

    stage = staged(play, mind=Echo(answer_with=lambda asked: [Said("", call=call)]))
    assert stage.of(Done)[0].calls == (call,)
    assert stage.spoken == []


def test_who_looks_later_sees_the_face_from_now_on(staged):
    async def play(stage):
        await asyncio.sleep(1.0)
        stage.session.again()
        await asyncio.sleep(0.1)

    first, again = staged(play).of(Stretch)[:2]
    assert again.start == pytest.approx(RATE, abs=10)
    assert first.length > RATE


def test_what_is_taken_back_is_told(staged):
    async def play(stage):
        await stage.session.push(Pcm.silence(0.02, RATE))
        stage.ears.tell(SpeechStarted(0, 1))
        await asyncio.sleep(0.1)
        await stage.session.clear()
        await asyncio.sleep(0.1)

    assert [event.reason for event in staged(play).of(Unspoken)] == ["cleared"]


def test_a_voice_is_told_how_fast_to_speak(staged):
    @dataclass
    class Noting(Tone):
        rates: list[float] = field(default_factory=list)

        async def speak(self, breath):
            self.rates.append(breath.prosody.rate)
            async for chunk in super().speak(breath):
                yield chunk

    async def play(stage):
        stage.session.text("the weather")
        await asyncio.sleep(1.0)

    voice = Noting()
    staged(play, voice=voice, options=SessionOptions(speed=1.5))
    assert set(voice.rates) == {1.5}
