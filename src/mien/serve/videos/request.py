"""What a film is to be, and what can be said of it before it is made."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from mien.errors import InputError, MissingError
from mien.face.feeling import EMOTIONS
from mien.serve.house import House
from mien.serve.refusals import RefusedError
from mien.speech.text import breaths

LONGEST_MS = 600_000
_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_HAN_PER_S, _LETTERS_PER_S = 8.0, 24.0  # nobody speaks faster


class RenderOptions(BaseModel):
    """`lip_sync` false keeps the mouth still. `emotion`: of the whole text; SSML may say otherwise inside."""

    model_config = ConfigDict(extra="forbid")
    lip_sync: bool = True
    emotion: Annotated[str, Field(max_length=40)] = "neutral"
    max_duration_ms: Annotated[int, Field(ge=100, le=LONGEST_MS)] = 60_000
    width: Annotated[int, Field(ge=64, le=1920, multiple_of=2)] = 512
    height: Annotated[int, Field(ge=64, le=1920, multiple_of=2)] = 512
    fps: Annotated[float, Field(ge=1, le=60)] = 30.0
    format: Literal["mp4", "webm"] = "mp4"


class VideoRequest(BaseModel):
    """`voice_input`: plain text or SSML. `avatar_id`: a persona; empty: the server's."""

    model_config = ConfigDict(extra="forbid")
    voice_input: Annotated[str, Field(min_length=1, max_length=16_000)]
    avatar_id: Annotated[str, Field(max_length=200)] = ""
    render_options: RenderOptions = RenderOptions()


class Work(BaseModel):
    """What a worker process is told."""

    persona: str
    text: str
    emotion: str
    lip_sync: bool
    longest_s: float
    size: tuple[int, int]
    fps: str
    file: str


def checked(asked: VideoRequest, house: House) -> tuple[Work, list[str]]:
    """Return the work without its file, and warnings; raises `RefusedError` for what can not be made."""
    options, warnings = asked.render_options, []
    name = asked.avatar_id or house.default
    try:
        spec = house.spec(name)
    except MissingError as error:
        raise _wrong(str(error), "avatar_id") from None
    emotion = options.emotion.lower()
    if emotion not in EMOTIONS:
        warnings.append(f"no emotion {options.emotion!r}; it is neutral. Valid: {', '.join(EMOTIONS)}")
        emotion = "neutral"
    try:
        spoken = list(breaths(asked.voice_input, language=spec.language, lexicon=spec.lexicon))
    except InputError as error:
        raise _wrong(str(error), "voice_input") from None
    least_s = sum(_least_s(breath.text) + breath.pause_s for breath in spoken)
    if least_s * 1000 > options.max_duration_ms:
        raise _wrong(
            f"the text lasts {least_s:.0f} s or more; max_duration_ms is {options.max_duration_ms}",
            "voice_input",
        )
    size, fps = (options.width, options.height), Fraction(options.fps).limit_denominator(1001)
    work = Work(
        persona=name,
        text=asked.voice_input,
        emotion=emotion,
        lip_sync=options.lip_sync,
        longest_s=options.max_duration_ms / 1000,
        size=size,
        fps=str(fps),
        file="",
    )
    return work, warnings


def _least_s(text: str) -> float:
    han = len(_HAN.findall(text))
    return han / _HAN_PER_S + (len(text) - han) / _LETTERS_PER_S


def _wrong(message: str, param: str) -> RefusedError:
    return RefusedError(message, "invalid_value", param, status=422)
