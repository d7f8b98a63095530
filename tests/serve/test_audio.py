import asyncio
import io

import httpx2
import numpy as np
import pytest
import soundfile
from openai import AsyncOpenAI

from mien.serve.transcribing import decoded

WORDS = "Good morning, how are you?"


@pytest.fixture
def ask(server):
    def run(work):
        async def main():
            async with AsyncOpenAI(base_url=f"{server.http}/v1", api_key="none", max_retries=0) as client:
                return await work(client)

        return asyncio.run(main())

    return run


@pytest.fixture(scope="module")
def wav(question):
    out = io.BytesIO()
    soundfile.write(out, question.samples, question.rate_hz, format="WAV")
    return out.getvalue()


def _length_s(kind, data, tmp_path):
    if kind == "pcm":
        return len(data) / 48_000
    if kind in ("wav", "flac", "mp3", "opus"):
        sound = decoded(data, kind)
        assert np.abs(sound.samples).max() > 0.05
        return sound.duration_s
    path = tmp_path / f"speech.{kind}"
    path.write_bytes(data)
    import av

    with av.open(str(path)) as container:
        return sum(frame.samples for frame in container.decode(audio=0)) / 24_000


@pytest.mark.parametrize("kind", ["wav", "pcm", "mp3", "opus", "flac", "aac"])
def test_a_stock_client_gets_speech_in_every_format(ask, tmp_path, kind):
    data = ask(
        lambda client: client.audio.speech.create(
            input=WORDS, model="tts-1", voice="alloy", response_format=kind, speed=1.5
        )
    ).content
    assert 0.6 < _length_s(kind, data, tmp_path) < 2.0


def test_speed_makes_speech_shorter(ask):
    async def both(client):
        lengths = []
        for speed in (0.8, 1.6):
            got = await client.audio.speech.create(
                input=WORDS, model="tts-1", voice="joe", response_format="pcm", speed=speed
            )
            lengths.append(len(got.content))
        return lengths

    slow, fast = ask(both)
    assert slow > 1.6 * fast


def test_speech_is_streamed_before_all_of_it_is_made(server):
    body = {"input": " ".join([WORDS] * 4), "response_format": "pcm"}
    with httpx2.stream("POST", f"{server.http}/v1/audio/speech", json=body, timeout=30) as got:
        pieces = list(got.iter_raw())
    assert len(pieces) > 4


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({"input": ""}, "input"),
        ({"input": "x" * 9000}, "input"),
        ({"input": "Hi", "voice": "nobody"}, "voice"),
        ({"input": "Hi", "speed": 9}, "speed"),
        ({"input": "Hi", "response_format": "midi"}, "response_format"),
        ({"input": "Hi", "colour": "red"}, "colour"),
    ],
)
def test_speech_that_can_not_be_made_is_refused_by_name(server, body, param):
    got = httpx2.post(f"{server.http}/v1/audio/speech", json=body)
    assert got.status_code == 422
    assert got.json()["error"]["param"] == param


def test_a_stock_client_gets_a_transcript_with_the_times_of_words(ask, wav):
    got = ask(
        lambda client: client.audio.transcriptions.create(
            file=("said.wav", wav),
            model="whisper-1",
            language="en",
            response_format="verbose_json",
            timestamp_granularities=["word", "segment"],
        )
    )
    assert "age of wisdom" in got.text.lower()
    times = [(word.start, word.end) for word in got.words]
    assert times == sorted(times)
    assert 0.0 <= times[0][0] < times[-1][1] < 1.8
    assert len(got.segments) == 1
    assert got.duration == pytest.approx(2.55, abs=0.02)


@pytest.mark.parametrize(
    ("kind", "holds"), [("json", '"text"'), ("text", "wisdom"), ("srt", "00:00:0"), ("vtt", "WEBVTT")]
)
def test_a_transcript_comes_in_every_form(server, wav, kind, holds):
    got = httpx2.post(
        f"{server.http}/v1/audio/transcriptions",
        files={"file": ("said.wav", wav)},
        data={"model": "tiny.en", "response_format": kind},
        timeout=30,
    )
    assert got.status_code == 200
    assert holds in got.text
    assert "wisdom" in got.text.lower()


def test_words_are_streamed(ask, wav):
    async def listen(client):
        stream = await client.audio.transcriptions.create(
            file=("said.wav", wav), model="tiny.en", stream=True
        )
        return [event async for event in stream]

    events = ask(listen)
    assert [event.type for event in events] == ["transcript.text.delta", "transcript.text.done"]
    assert "wisdom" in events[-1].text.lower()


@pytest.mark.parametrize(
    ("file", "data", "status"),
    [
        (b"garbage that is no sound", {}, 422),
        (b"", {}, 422),
        (None, {"language": "xx"}, 422),
        (None, {"colour": "red"}, 422),
        (None, {"temperature": "0.7"}, 422),
        (None, {"response_format": "midi"}, 422),
    ],
)
def test_recordings_that_can_not_be_heard_are_refused(server, wav, file, data, status):
    got = httpx2.post(
        f"{server.http}/v1/audio/transcriptions",
        files={"file": ("said.wav", wav if file is None else file)},
        data={"model": "tiny.en", **data},
    )
    assert got.status_code == status, got.text
    assert got.json()["error"]["message"]


def test_bodies_that_are_too_large_are_refused_unread(server):
    got = httpx2.post(f"{server.http}/v1/audio/speech", content=b"x" * (300 << 10))
    assert got.status_code == 413


def test_a_stock_client_lists_models(ask):
    async def names(client):
        return [model.id async for model in client.models.list()]

    assert "mien" in ask(names)
