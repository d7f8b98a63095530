"""Any server that speaks OpenAI's speech API: `POST {url}/audio/speech`."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mien.audio.files import decode
from mien.audio.pcm import Pcm
from mien.audio.resample import resample
from mien.errors import InputError, MissingError, ResourceError, require
from mien.face.phone import Phone
from mien.speech.breath import Breath, Prosody
from mien.speech.voice import SpeechChunk, Voice
from mien.speech.voices.recorded import RecordedVoice
from mien.speech.voices.sound import Finish, check, speed
from mien.speech.voices.unaligned import hear
from mien.speech.voices.utterance import check_languages

RATE_HZ = 24_000  # of the API's "pcm": 16 bit, little-endian, mono
LARGEST_BYTES = 64 << 20  # 23 minutes of it; a breath is seconds
SPEEDS = (0.25, 4.0)  # the API's own limits
_log = logging.getLogger(__name__)
_CONTAINERS = (b"RIFF", b"OggS", b"fLaC", b"ID3", b"\xff\xfb", b"\xff\xf3")


@dataclass(frozen=True, slots=True)
class Server:
    """Where and how to ask. `url` ends before `/audio/speech` (`"http://127.0.0.1:8880/v1"`)."""

    url: str
    model: str = "tts-1"
    voice: str = "alloy"
    language: str = "en"
    instructions: str | None = None
    timeout_s: float = 30.0
    key: str | None = field(default=None, repr=False)

    @classmethod
    def read(cls, options: Mapping[str, Any]) -> Server:
        """Return the server of a persona's `[voice]` table; `key_env` names the variable with the key."""
        given = dict(options)
        variable = given.pop("key_env", None)
        if "url" not in given:
            raise InputError("voice: openai needs 'url', as in url = \"http://127.0.0.1:8880/v1\"")
        if not str(given["url"]).startswith(("http://", "https://")):
            raise InputError(f"voice: url {given['url']!r} must begin with http:// or https://")
        if variable and not os.environ.get(str(variable)):
            raise MissingError(
                f"voice: the environment variable {variable} is not set; it holds the server's key"
            )
        return cls(**given, key=os.environ[str(variable)] if variable else None)


class OpenAIVoice:
    """A voice on a server. Its sound has no phone times: they come from alignment with `reference`, a
    built-in voice of the same language, or without one from the sound alone.
    """

    def __init__(self, server: Server, reference: Voice | None = None) -> None:
        self._server = server
        self._reference = reference

    @property
    def rate_hz(self) -> int:
        """Sample rate of the sound, Hz."""
        return RATE_HZ

    @property
    def languages(self) -> frozenset[str]:
        """The languages of the reference; without one any language will do."""
        return self._reference.languages if self._reference else frozenset()

    async def speak(self, breath: Breath) -> AsyncGenerator[SpeechChunk, None]:
        """Speak one breath; its sound comes whole, since the times of phones need all of it.

        Raises `ResourceError` when the server can not be reached or refuses, `InputError` for a wrong
        model or voice, `MissingError` without the extra `openai`.
        """
        check(breath.prosody)
        if not breath.text.strip():
            return
        if self._reference:
            check_languages(breath, self._server.voice, self._reference.languages)
        sound = self._finished(await self._fetch(breath), breath.prosody)
        yield SpeechChunk(sound, 0, await self._phones(sound, breath))

    async def _phones(self, sound: Pcm, breath: Breath) -> tuple[Phone, ...]:
        if self._reference is None:
            return await asyncio.to_thread(hear, sound)
        recorded = RecordedVoice(sound, self._reference)
        try:
            (scripted,) = await recorded.script([breath])
        except InputError as error:
            _log.warning("the server did not say the text, so its sound alone moves the lips: %s", error)
            return await asyncio.to_thread(hear, sound)
        return (await anext(recorded.speak(scripted))).phones

    def _finished(self, sound: Pcm, prosody: Prosody) -> Pcm:
        """Return the sound at the API's rate with pitch and volume as asked: the server knows neither."""
        sound = resample(sound, RATE_HZ)
        finish = Finish(prosody, RATE_HZ, len(sound))
        return Pcm(finish.push(sound.samples, last=True), RATE_HZ)

    async def _fetch(self, breath: Breath) -> Pcm:
        """Ask the server and return its sound."""
        http = require("httpx2", extra="openai")
        server = self._server
        headers = {"Authorization": f"Bearer {server.key}"} if server.key else {}
        url = server.url.rstrip("/") + "/audio/speech"
        data = bytearray()
        try:
            async with (
                http.AsyncClient(timeout=server.timeout_s, headers=headers) as client,
                client.stream("POST", url, json=self._request(breath)) as reply,
            ):
                if reply.status_code != 200:
                    raise _refused(url, server, reply.status_code, bytes(await reply.aread()))
                kind = reply.headers.get("content-type", "")
                async for part in reply.aiter_bytes():
                    data += part
                    if len(data) > LARGEST_BYTES:
                        raise ResourceError(f"{url} sent over {LARGEST_BYTES >> 20} MB for one breath")
        except http.TimeoutException:
            raise ResourceError(
                f"{url} did not answer within {server.timeout_s:g} s; raise timeout_s?"
            ) from None
        except (http.TransportError, http.InvalidURL) as error:
            raise ResourceError(
                f"{url} can not be reached ({_plain(error)}); is the server running?"
            ) from None
        return _sound(bytes(data), kind, url)

    def _request(self, breath: Breath) -> dict[str, Any]:
        low, high = SPEEDS
        body: dict[str, Any] = {
            "model": self._server.model,
            "voice": self._server.voice,
            "input": breath.text,
            "response_format": "pcm",
            "speed": round(min(max(speed(breath.prosody), low), high), 3),
        }
        if self._server.instructions:
            body["instructions"] = self._server.instructions
        return body


def _sound(data: bytes, kind: str, url: str) -> Pcm:
    """Return the reply's sound: raw samples as asked for, or a file, which some servers send all the same."""
    if data.startswith(_CONTAINERS):
        return decode(data, f"the reply of {url}")
    if kind.startswith(("text/", "application/json")) or data[:1] in (b"{", b"<"):
        raise ResourceError(f"{url} sent {kind or 'text'} instead of sound; is it a speech server?")
    samples = np.frombuffer(data[: len(data) // 2 * 2], "<i2").astype(np.float32) / 32_768.0
    if not len(samples):
        raise ResourceError(f"{url} sent no sound")
    return Pcm(samples, RATE_HZ)


def _refused(url: str, server: Server, status: int, body: bytes) -> InputError | ResourceError:
    said = _without(server.key, " ".join(body[:200].decode("utf-8", "replace").split()))
    if status in (401, 403):
        return ResourceError(f"{url} refuses the key ({status}); set key_env to the variable that holds it")
    if status in (400, 404, 422):
        return InputError(
            f"{url} does not know model {server.model!r} with voice {server.voice!r} ({status}: {said})"
        )
    if status == 429:
        return ResourceError(f"{url} has had too many requests (429); wait, or raise the quota")
    return ResourceError(f"{url} failed ({status}: {said}); try again, or look at the server's log")


def _without(key: str | None, text: str) -> str:
    return text.replace(key, "…") if key else text


def _plain(error: Exception) -> str:
    return str(error).strip().lower() or type(error).__name__
