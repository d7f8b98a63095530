"""`POST /v1/audio/transcriptions`: a recording → its words."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Form, Request, UploadFile
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse

from mien.audio.pcm import Pcm
from mien.errors import InputError
from mien.persona.threads import in_thread
from mien.serve.refusals import RefusedError
from mien.serve.site import Site, enter, site_of
from mien.serve.transcribing import Transcript, decoded, heard
from mien.speech.languages import base
from mien.speech.listening import Final, Models, Speaking
from mien.speech.listening.recogniser import AUTO, PACKS

router = APIRouter(prefix="/v1/audio", tags=["audio"])
_TEXT = {"text": "text/plain", "srt": "application/x-subrip", "vtt": "text/vtt"}
_CONTENT: dict[str, Any] = {kind: {} for kind in ("application/json", "text/event-stream", *_TEXT.values())}


class TranscriptionForm(BaseModel):
    """`model`: `tiny.en` or `base`; other names mean what fits the language. `language`: ISO 639-1; empty:
    it is found out. `prompt`: names and terms that may come, with commas. `temperature`: 0, the likeliest.
    """

    model_config = ConfigDict(extra="forbid", populate_by_name=True)
    file: UploadFile = Field(description="WAV, MP3, FLAC, OGG, M4A, WebM; up to an hour.")
    model: Annotated[str, Field(max_length=200)] = "whisper-1"
    language: Annotated[str, Field(max_length=16)] = ""
    prompt: Annotated[str, Field(max_length=2000)] = ""
    response_format: Literal["json", "text", "srt", "verbose_json", "vtt"] = "json"
    temperature: Annotated[float, Field(ge=0.0, le=0.0)] = 0.0
    granularities: Annotated[
        list[Literal["word", "segment"]], Field(alias="timestamp_granularities[]", max_length=2)
    ] = ["segment"]
    stream: bool = False


@router.post("/transcriptions", response_class=Response, responses={200: {"content": _CONTENT}})
async def transcriptions(
    asked: Annotated[TranscriptionForm, Form()], request: Request, _: Annotated[str, Depends(enter)]
) -> Response:
    """Write what is said in a recording."""
    site = site_of(request)
    models = await in_thread(lambda: _models(site, asked))
    pcm = await in_thread(decoded, await asked.file.read(), asked.file.filename or "the file")
    if asked.stream:
        return StreamingResponse(_events(site, models, pcm), media_type="text/event-stream")
    finals = [final async for final in _heard(site, models, pcm)]
    known = finals[0].language if finals else asked.language or "en"
    return _told(Transcript(tuple(finals), pcm.rate_hz, pcm.duration_s, known), asked)


def _models(site: Site, asked: TranscriptionForm) -> Models:
    expect = tuple(term.strip() for term in asked.prompt.split(",") if term.strip())
    own = asked.model if asked.model in PACKS else ""
    spoken = base(asked.language) if asked.language else "en" if own == "tiny.en" else AUTO
    try:
        return site.house.models_for_files(Speaking(spoken, expect, own))
    except InputError as error:
        raise RefusedError(str(error), "invalid_value", "language", status=422) from None


async def _heard(site: Site, models: Models, pcm: Pcm) -> AsyncGenerator[Final, None]:
    async with site.transcribing.pass_through(), aclosing(heard(models, pcm)) as finals:
        async for final in finals:
            yield final


def _told(transcript: Transcript, asked: TranscriptionForm) -> Response:
    match asked.response_format:
        case "json":
            return JSONResponse({"text": transcript.text, "usage": transcript.usage})
        case "verbose_json":
            return JSONResponse(transcript.verbose({*asked.granularities}))
        case "text":
            return PlainTextResponse(transcript.text + "\n")
        case "srt":
            return Response(transcript.srt(), media_type=_TEXT["srt"])
        case "vtt":
            return Response(transcript.vtt(), media_type=_TEXT["vtt"])


async def _events(site: Site, models: Models, pcm: Pcm) -> AsyncGenerator[str, None]:
    """Yield words as OpenAI's server-sent events."""
    text = ""
    async with aclosing(_heard(site, models, pcm)) as finals:
        async for final in finals:
            delta = f" {final.text}" if text else final.text
            text += delta
            yield f"data: {json.dumps({'type': 'transcript.text.delta', 'delta': delta})}\n\n"
    yield f"data: {json.dumps({'type': 'transcript.text.done', 'text': text})}\n\n"
