"""`POST /v1/audio/speech`: text → sound, given out while it is spoken."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import StreamingResponse

from mien.errors import MissingError
from mien.media.sounds import CODINGS, SoundStream
from mien.persona import Persona
from mien.persona.threads import in_thread
from mien.serve.house import OWN_VOICE, House
from mien.serve.refusals import RefusedError
from mien.serve.site import Site, enter, site_of
from mien.speech.text import breaths

LONGEST = 8000
router = APIRouter(prefix="/v1/audio", tags=["audio"])


class VoiceId(BaseModel):
    """A voice by its id."""

    model_config = ConfigDict(extra="forbid")
    id: Annotated[str, Field(max_length=200)]


class SpeechRequest(BaseModel):
    """`input`: plain text or SSML. `voice`: a persona's id; OpenAI's names mean the server's persona.
    `model` is anything, `instructions` are for models that understand them, which none here does.
    """

    model_config = ConfigDict(extra="forbid")
    input: Annotated[str, Field(min_length=1, max_length=LONGEST)]
    model: Annotated[str, Field(max_length=200)] = "mien"
    voice: Annotated[str, Field(max_length=200)] | VoiceId = "default"
    instructions: Annotated[str, Field(max_length=LONGEST)] | None = None
    response_format: Literal["mp3", "opus", "aac", "flac", "wav", "pcm"] = "mp3"
    speed: Annotated[float, Field(ge=0.25, le=4.0)] = 1.0
    stream_format: Literal["audio", "sse"] = "audio"


_CONTENT: dict[str, Any] = {coding.media_type: {} for coding in CODINGS.values()}


@router.post(
    "/speech",
    response_class=StreamingResponse,
    responses={200: {"content": _CONTENT | {"text/event-stream": {}}}, 503: {"description": "busy"}},
)
async def speech(
    asked: SpeechRequest, request: Request, _: Annotated[str, Depends(enter)]
) -> StreamingResponse:
    """Speak a text. Sound is sent as soon as the first breath of it is there."""
    site = site_of(request)
    sound = _sound(site, asked, _persona(site.house, asked))
    first = await anext(sound, b"")  # what can not be spoken is refused before anything is sent
    headers = {"x-mien-warnings": "instructions are not followed"} if asked.instructions else {}
    if asked.stream_format == "sse":
        return StreamingResponse(_events(first, sound, asked), 200, headers, "text/event-stream")
    media_type = CODINGS[asked.response_format].media_type
    return StreamingResponse(_joined(first, sound), 200, headers, media_type)


def _persona(house: House, asked: SpeechRequest) -> Persona:
    name = asked.voice.id if isinstance(asked.voice, VoiceId) else asked.voice
    try:
        return house.persona(house.default if name in OWN_VOICE else name)
    except MissingError as error:
        raise RefusedError(str(error), "invalid_value", "voice", status=422) from None


async def _sound(site: Site, asked: SpeechRequest, persona: Persona) -> AsyncGenerator[bytes, None]:
    """Yield coded sound; raises `InputError` for a text that can not be spoken."""
    spec = persona.spec
    said = breaths(asked.input, language=spec.language, lexicon=spec.lexicon)
    spoken = [breath.faster(asked.speed) for breath in said]
    async with site.speaking.pass_through():
        performance = await persona.performance()
        stream = SoundStream(asked.response_format, performance.voice.rate_hz)
        try:
            async with aclosing(performance.chunks(spoken)) as chunks:
                async for chunk in chunks:
                    if data := await in_thread(stream.push, chunk.pcm):
                        yield data
            yield await in_thread(stream.finish)
        finally:
            stream.close()


async def _joined(first: bytes, rest: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    async with aclosing(rest):
        yield first
        async for data in rest:
            yield data


async def _events(
    first: bytes, rest: AsyncGenerator[bytes, None], asked: SpeechRequest
) -> AsyncGenerator[str, None]:
    """Yield sound as OpenAI's server-sent events."""
    async with aclosing(_joined(first, rest)) as sound:
        async for data in sound:
            yield _event({"type": "speech.audio.delta", "audio": base64.b64encode(data).decode()})
    words = len(asked.input.split())
    usage = {"input_tokens": words, "output_tokens": words, "total_tokens": 2 * words}
    yield _event({"type": "speech.audio.done", "usage": usage})


def _event(table: dict[str, Any]) -> str:
    return f"data: {json.dumps(table)}\n\n"
