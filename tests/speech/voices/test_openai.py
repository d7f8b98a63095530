import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
import soundfile

from mien.audio.resample import resample
from mien.errors import InputError, MienError, MissingError, ResourceError
from mien.speech.breath import Breath, Piece, Prosody
from mien.speech.voice import SpeechChunk
from mien.speech.voices import openai
from mien.speech.voices.openai import OpenAIVoice, Server

from .spoken import WORDS, errors_ms, joe, speech

KEY = "sk-very-secret"


@contextmanager
def server(status: int, kind: str, body: bytes) -> Iterator[tuple[str, list[dict[str, object]]]]:
    """Answer every request with `body`; yield the address and what was asked."""
    asked: list[dict[str, object]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            size = int(self.headers["content-length"])
            asked.append(
                json.loads(self.rfile.read(size)) | {"key": self.headers["authorization"], "path": self.path}
            )
            self.send_response(status)
            self.send_header("content-type", kind)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{http.server_port}/v1", asked
    finally:
        http.shutdown()
        thread.join()
        http.server_close()


def speak(voice: OpenAIVoice, breath: Breath) -> list[SpeechChunk]:
    async def run() -> list[SpeechChunk]:
        return [chunk async for chunk in voice.speak(breath)]

    return asyncio.run(run())


def pcm_bytes() -> bytes:
    samples = resample(speech(0.9)[0], openai.RATE_HZ).samples
    return (np.clip(samples, -1, 1) * 32_767).astype("<i2").tobytes()


SAID = Breath(tuple(Piece(text) for text in WORDS), prosody=Prosody(rate=1.25))


def test_speaks_with_phone_times_from_the_reference() -> None:
    body = pcm_bytes()
    with server(200, "audio/pcm", body) as (url, asked):
        (chunk,) = speak(OpenAIVoice(Server(url, "kokoro", "af_sky", key=KEY), joe()), SAID)
    assert len(chunk.pcm) == len(body) // 2
    assert (chunk.phones[0].start, chunk.phones[-1].end) == (0, len(chunk.pcm))
    truth = speech(0.9)[1]
    scaled = [type(p)(p.symbol, round(p.start * 24_000 / 22_050), 0) for p in truth]
    assert np.median(errors_ms(chunk.phones, scaled, 24_000)) < 20.0
    assert asked == [
        {
            "model": "kokoro",
            "voice": "af_sky",
            "input": " ".join(WORDS),
            "response_format": "pcm",
            "speed": 1.25,
            "key": f"Bearer {KEY}",
            "path": "/v1/audio/speech",
        }
    ]


def test_a_wav_reply_is_read_and_without_a_reference_heard(tmp_path) -> None:
    sound = speech(1.0)[0]
    soundfile.write(tmp_path / "x.wav", sound.samples, sound.rate_hz)
    with server(200, "audio/wav", (tmp_path / "x.wav").read_bytes()) as (url, asked):
        (chunk,) = speak(OpenAIVoice(Server(url)), SAID)
    assert chunk.pcm.rate_hz == 24_000
    assert chunk.pcm.duration_s == pytest.approx(sound.duration_s, abs=0.001)
    assert {"a", ""} <= {p.symbol for p in chunk.phones}
    assert asked[0]["key"] is None


@pytest.mark.parametrize(
    ("status", "kind", "body", "error", "message"),
    [
        (401, "application/json", b"bad key " + KEY.encode(), ResourceError, "refuses the key"),
        (404, "application/json", b"no such model " + KEY.encode(), InputError, "does not know model 'm'"),
        (429, "text/plain", b"", ResourceError, "too many requests"),
        (500, "text/plain", b"oops " + KEY.encode(), ResourceError, "failed"),
        (200, "application/json", b'{"error": 1}', ResourceError, "instead of sound"),
        (200, "audio/pcm", b"<html>", ResourceError, "instead of sound"),
        (200, "audio/pcm", b"", ResourceError, "no sound"),
        (200, "audio/wav", b"RIFF1234", InputError, "no sound that can be read"),
    ],
)
def test_what_goes_wrong_is_one_line_without_the_key(
    status: int, kind: str, body: bytes, error: type[MienError], message: str
) -> None:
    with server(status, kind, body) as (url, _), pytest.raises(error, match=message) as caught:
        speak(OpenAIVoice(Server(url, "m", "v", key=KEY)), SAID)
    assert KEY not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_server_there() -> None:
    with server(200, "audio/pcm", b"") as (url, _):
        pass
    with pytest.raises(ResourceError, match="can not be reached"):
        speak(OpenAIVoice(Server(url, key=KEY)), SAID)


def test_nothing_to_say_asks_nobody() -> None:
    assert speak(OpenAIVoice(Server("http://127.0.0.1:1/v1")), Breath((Piece(" "),))) == []


def test_a_language_the_reference_does_not_speak() -> None:
    with pytest.raises(InputError, match="not zh"):
        speak(OpenAIVoice(Server("http://127.0.0.1:1/v1"), joe()), Breath((Piece("你好", "zh"),)))


def test_the_key_comes_from_the_environment_and_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    read = Server.read({"url": "http://localhost:1/v1", "key_env": "MY_KEY", "voice": "x"})
    assert read.key == KEY
    assert KEY not in repr(read)
    monkeypatch.delenv("MY_KEY")
    with pytest.raises(MissingError, match="MY_KEY is not set"):
        Server.read({"url": "http://localhost:1/v1", "key_env": "MY_KEY"})
    with pytest.raises(InputError, match="needs 'url'"):
        Server.read({})
    with pytest.raises(InputError, match="must begin with http"):
        Server.read({"url": "localhost:1"})
