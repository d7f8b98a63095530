"""An answer that a client asks for comes, or it is told why not, whatever is heard or asked meanwhile."""

import asyncio

import pytest
from tests.serve.client import connected

from mien.serve.realtime.answers import Answer, Answers
from mien.serve.realtime.asking import Asking
from mien.serve.realtime.hearing import Hearing
from mien.serve.realtime.inputs import ResponseSettings
from mien.serve.realtime.items import Items
from mien.serve.realtime.settings import Settings
from mien.serve.refusals import RefusedError

TEXT = {"output_modalities": ["text"]}
BUSY = "conversation_already_has_active_response"


def held_back(**fields):
    """Return the setting of push-to-talk, with more of it."""
    return {"audio": {"input": {"turn_detection": None}}, **fields}


async def asked(client):
    """Ask in writing; return how the answer to that ended."""
    await client.ask("Hello", metadata={"asked": "in writing"}, **TEXT)
    while True:
        response = (await client.until("response.done"))["response"]
        if response["metadata"] == {"asked": "in writing"}:
            return response["status"]


def test_a_turn_that_a_client_ends_and_that_is_answered_by_itself_holds_up_no_later_answer(server, question):
    async def main():
        async with connected(server.ws) as client:
            await client.update(audio={"input": {"turn_detection": {"type": "server_vad"}}})
            await client.say(question.cut(0, 36_000))
            await client.until("input_audio_buffer.speech_started")
            await client.send("input_audio_buffer.commit")
            await client.until("response.created")
            await client.send("response.cancel")
            await client.until("response.done")
            return await asked(client)

    assert asyncio.run(main()) == "completed"


def test_an_answer_is_refused_where_the_turn_is_answered_by_itself(server, question):
    async def main():
        async with connected(server.ws) as client:
            await client.say(question.cut(0, 36_000))
            await client.until("input_audio_buffer.speech_started")
            await client.send("input_audio_buffer.commit")
            await client.send("response.create")
            error = (await client.until("error"))["error"]
            await client.send("response.cancel")
            await client.until("response.done")
            return error["code"], len(client.of("response.created")), await asked(client)

    assert asyncio.run(main()) == (BUSY, 1, "completed")


def test_who_pushes_to_talk_need_not_say_the_wake_word(server, question):
    async def main():
        async with connected(server.ws) as client:
            await client.update(**held_back(mien={"wake_words": ["computer"]}))
            await client.say(question)
            await client.send("input_audio_buffer.commit")
            await client.send("response.create", response=TEXT)
            return (await client.until("response.done"))["response"]

    assert "wisdom" in asyncio.run(main())["output"][0]["content"][0]["text"]


def test_words_that_a_persona_had_still_to_hear_hold_up_no_answer_of_the_next(server, question, jack):
    async def main():
        async with connected(server.ws) as client:
            await client.update(**held_back())
            await client.say(question)
            await client.send("input_audio_buffer.commit")
            await client.send("response.create", response={"metadata": {"asked": "joe"}})
            await client.update(mien={"persona": jack})
            return await asked(client), client

    status, client = asyncio.run(main())
    assert status == "completed"
    assert client.of("response.done")[0]["response"]["metadata"] == {"asked": "joe"}
    assert len(client.of("conversation.item.input_audio_transcription.completed")) == 1


class Told:
    """What a conversation tells, with the parts that ask in it."""

    def __init__(self):
        self.events = []
        items = Items(self.tell)
        self.answers = Answers(self.tell, items, Settings())
        self.hearing = Hearing(self.tell, items)
        self.asking = Asking(self.tell, items, self.answers, self.hearing)

    def tell(self, kind, **fields):
        self.events.append((kind, fields))

    def of(self, kind):
        return [fields for one, fields in self.events if one == kind]


def test_an_answer_that_waits_for_its_question_can_be_cancelled_and_is_the_only_one():
    told = Told()
    asking = told.asking

    class Slow:
        """A session whose recogniser is still at work."""

        async def commit(self):
            return 4800

    async def main():
        asking.attach(Slow(), None)
        await asking.commit()
        asking.respond(ResponseSettings(metadata={"number": "1"}))
        with pytest.raises(RefusedError, match="a response waits; cancel it first"):
            asking.respond(ResponseSettings(metadata={"number": "2"}))
        with pytest.raises(RefusedError, match="no response is being given"):
            asking.cancel("resp_of_another")
        asking.cancel(None)
        with pytest.raises(RefusedError, match="no response is being given"):
            asking.cancel(None)

    asyncio.run(main())
    (done,) = told.of("response.done")
    response = done["response"]
    assert (response["status"], response["metadata"], response["output"]) == (
        "cancelled",
        {"number": "1"},
        [],
    )
    told.hearing.stopped(4800)
    told.hearing.committed("Never mind.")
    asking.said("Never mind.")
    assert len(told.of("response.created")) == 1


def test_what_is_still_being_written_does_not_go_into_the_answer_that_took_its_place():
    told = Told()
    spoken, over = Answer(7, spoken=True), asyncio.Event()

    class Interrupted:
        """A session whose user speaks up while an answer is being written."""

        async def write(self, *asked):
            try:
                yield "One, "
                told.answers.end("cancelled", "turn_detected")
                told.answers.begin(spoken)
                yield "two."
            finally:
                over.set()

    async def main():
        told.asking.attach(Interrupted(), None)
        told.asking.respond(ResponseSettings(output_modalities=["text"]))
        await over.wait()

    asyncio.run(main())
    assert [fields["delta"] for fields in told.of("response.output_text.delta")] == ["One, "]
    assert told.answers.current is spoken
