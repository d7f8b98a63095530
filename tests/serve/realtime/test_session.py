import asyncio
import base64
from itertools import pairwise

import numpy as np
from tests.serve.client import connected

from mien.audio.pcm import Pcm
from mien.audio.resample import resample

LONG = "Please tell me everything that you know about the weather in the mountains of Switzerland."


def talk(work):
    return asyncio.run(work)


def test_the_users_voice_ends_an_answer_and_is_answered(server, question):
    async def main():
        async with connected(server.ws) as client:
            await client.update(mien={"face": True})
            await client.ask(LONG)
            begun = (await client.until("response.output_audio.delta"))["mien"]["start"]
            while (await client.until("response.output_audio.delta"))["mien"]["start"] < begun + 30_000:
                pass  # until so much was heard that the user took notice
            await client.say(question)
            first = await client.until("response.done")
            cut = len(client.seen)
            second = await client.until("response.done")
        return client, cut, first["response"], second["response"]

    client, cut, first, second = talk(main())
    assert (first["status"], first["status_details"]["reason"]) == ("cancelled", "turn_detected")
    assert second["status"] == "completed"
    assert "wisdom" in second["output"][0]["content"][0]["transcript"]
    assert [e for e in client.seen[cut:] if e.get("response_id") == first["id"] and "delta" in e] == []
    held = client.of("mien.cut")[0]
    assert held["reason"] == "held"
    kinds = client.kinds()
    sound = kinds.index("mien.cut")
    assert abs(kinds.index("input_audio_buffer.speech_started") - sound) < 4
    silent = kinds[sound : kinds.index("mien.continued" if "mien.continued" in kinds else "response.done")]
    assert "response.output_audio.delta" not in silent


def test_a_client_that_cuts_says_what_was_heard(server):
    async def main():
        async with connected(server.ws) as client:
            await client.ask(LONG)
            item = (await client.until("response.output_audio.delta"))["item_id"]
            await client.until("response.output_audio.delta")
            await client.send("conversation.item.truncate", item_id=item, content_index=0, audio_end_ms=400)
            await client.until("conversation.item.truncated")
            done = await client.until("response.done")
            await client.send("conversation.item.retrieve", item_id=item)
            kept = await client.until("conversation.item.retrieved")
        return done["response"], kept["item"]

    done, kept = talk(main())
    assert done["status"] == "cancelled"
    assert kept["status"] == "incomplete"
    assert len(kept["content"][0]["transcript"]) < 30


def test_push_to_talk_answers_when_it_is_asked_to(server, question):
    async def main():
        async with connected(server.ws) as client:
            await client.update(audio={"input": {"turn_detection": None}})
            await client.say(question)
            await client.send("input_audio_buffer.commit")
            how = {"metadata": {"asked": "by hand"}, "output_modalities": ["text"]}
            await client.send("response.create", response=how)
            done = await client.until("response.done")
        return client, done["response"]

    client, done = talk(main())
    kinds = client.kinds()
    assert "input_audio_buffer.speech_started" not in kinds
    assert kinds.count("input_audio_buffer.committed") == 1
    assert "wisdom" in done["output"][0]["content"][0]["text"]
    assert done["metadata"] == {"asked": "by hand"}


def test_silence_that_is_committed_has_no_words(server):
    async def main():
        async with connected(server.ws) as client:
            await client.update(audio={"input": {"turn_detection": None}})
            await client.send("input_audio_buffer.commit")
            error = (await client.until("error"))["error"]
            await client.say(Pcm.silence(0.5, 24_000))
            await client.send("input_audio_buffer.commit")
            words = await client.until("conversation.item.input_audio_transcription.completed")
        return error, words

    error, words = talk(main())
    assert error["code"] == "input_audio_buffer_commit_empty"
    assert words["transcript"] == ""


def test_answers_can_be_text_to_what_was_typed_and_said(server, question):
    async def main():
        async with connected(server.ws) as client:
            await client.update(output_modalities=["text"])
            await client.ask("Hello")
            typed = await client.until("response.done")
            await client.say(question)
            said = await client.until("response.done")
        return client, typed["response"], said["response"]

    client, typed, said = talk(main())
    assert typed["output"][0]["content"][0]["text"] == "Hello! What can I do for you?"
    assert "wisdom" in said["output"][0]["content"][0]["text"]
    assert "response.output_text.done" in client.kinds()
    assert client.of("response.output_audio.delta") == []


def test_a_transcription_session_writes_and_does_not_answer(server, question):
    async def main():
        async with connected(server.ws, "?intent=transcription") as client:
            await client.say(question)
            words = await client.until("conversation.item.input_audio_transcription.completed")
            await client.send("response.create")
            error = (await client.until("error"))["error"]
        return client, words["transcript"], error

    client, words, error = talk(main())
    assert client.seen[0]["session"]["type"] == "transcription"
    assert "wisdom" in words.lower()
    assert "transcription" in error["message"]
    assert not [kind for kind in client.kinds() if kind.startswith("response.")]


def test_telephones_talk_at_8_khz_both_ways(server, question):
    kind = "audio/pcmu"

    async def main():
        async with connected(server.ws) as client:
            both = {"input": {"format": {"type": kind}}, "output": {"format": {"type": kind}}}
            session = await client.update(audio=both)
            await client.say(resample(question, 8000), kind)
            await client.until("response.done")
        return client, session

    client, session = talk(main())
    assert session["audio"]["output"]["format"] == {"type": kind}
    words = client.of("conversation.item.input_audio_transcription.completed")[0]["transcript"]
    assert "wisdom" in words.lower()
    deltas = client.of("response.output_audio.delta")
    for before, after in pairwise(deltas):
        length = len(base64.b64decode(before["delta"]))
        assert after["mien"]["start"] >= before["mien"]["start"] + 3 * length - 2


def test_settings_that_are_honoured_are_told_and_others_are_refused(server):
    async def main():
        async with connected(server.ws) as client:
            vad = {"type": "server_vad", "silence_duration_ms": 900, "threshold": 0.6}
            session = await client.update(
                audio={"input": {"turn_detection": vad}}, instructions="Be brief.", tools=[]
            )
            refused = []
            for wrong in (
                {"colour": "red"},
                {"audio": {"input": {"format": {"type": "audio/pcm", "rate": 16_000}}}},
                {"audio": {"output": {"voice": "nobody"}}},
                {"mien": {"persona": "nobody"}},
                {"mien": {"language": "fi"}},
                {"output_modalities": ["text", "audio"]},
            ):
                await client.send("session.update", event_id="mine", session={"type": "realtime", **wrong})
                refused.append((await client.until("error"))["error"])
            same = await client.update()
        return session, same, refused

    session, same, refused = talk(main())
    detection = session["audio"]["input"]["turn_detection"]
    assert (detection["silence_duration_ms"], detection["prefix_padding_ms"]) == (900, 300)
    assert "no language model" in session["mien"]["warnings"][0]
    assert same == session | {"mien": same["mien"]}
    assert {error["event_id"] for error in refused} == {"mine"}
    assert refused[0]["code"] == "unknown_parameter"
    assert "rate" in refused[1]["param"]
    assert all(error["message"] for error in refused)


def test_another_persona_begins_on_the_same_clock(server, jack):
    async def main():
        async with connected(server.ws) as client:
            await client.update(mien={"face": True})
            await client.ask("Hello")
            await client.until("response.output_audio.delta")
            session = await client.update(mien={"persona": jack})
            await client.ask("Hello")
            done = await client.until("response.done")
            while done["response"]["status"] != "completed":
                done = await client.until("response.done")
        return client, session

    client, session = talk(main())
    assert (session["mien"]["persona"], session["mien"]["avatar"]) == ("jack", "/v1/mien/avatars/jack.glb")
    assert [event["response"]["status"] for event in client.of("response.done")] == ["cancelled", "completed"]
    cut = client.of("mien.cut")[-1]
    after = client.seen[client.seen.index(cut) + 1 :]
    starts = [event["start"] for event in after if event["type"] == "mien.face.delta"]
    assert starts[0] == cut["start"] > 0
    assert starts == sorted(starts)


def test_a_persona_greets_who_says_nothing(server):
    async def main():
        async with connected(server.ws) as client:
            await client.send("response.create", response={"output_modalities": ["text"]})
            return (await client.until("response.done"))["response"]

    assert "Hello" in talk(main())["output"][0]["content"][0]["text"]


def test_what_is_taken_back_is_not_answered(server, question):
    async def main():
        async with connected(server.ws) as client:
            await client.say(question.cut(0, 24_000))
            await client.until("input_audio_buffer.speech_started")
            await client.send("input_audio_buffer.clear")
            await client.until("input_audio_buffer.cleared")
            await client.say(Pcm.silence(1.0, 24_000))
            await client.ask("Hello", output_modalities=["text"])
            await client.until("response.done")
        return client

    client = talk(main())
    assert len(client.of("response.created")) == 1
    assert np.all([e["type"] != "input_audio_buffer.committed" for e in client.seen])


def test_items_can_be_put_in_order_shown_and_deleted(server):
    async def main():
        async with connected(server.ws) as client:
            for name, place in (("one", None), ("two", None), ("zero", "root"), ("mid", "one")):
                item = {
                    "id": name, "type": "message", "role": "user",
                    "content": [{"type": "input_text", "text": name}],
                }  # fmt: skip
                await client.send("conversation.item.create", item=item, previous_item_id=place)
                await client.until("conversation.item.done")
            await client.send("conversation.item.delete", item_id="two")
            await client.until("conversation.item.deleted")
            await client.send("conversation.item.retrieve", item_id="two")
            error = (await client.until("error"))["error"]
            await client.send("conversation.item.create", item=item)
            twice = (await client.until("error"))["error"]
        return client, error, twice

    client, error, twice = talk(main())
    before = [event["previous_item_id"] for event in client.of("conversation.item.added")]
    assert before == [None, "one", None, "one"]
    assert error["code"] == "item_not_found"
    assert "there already" in twice["message"]
