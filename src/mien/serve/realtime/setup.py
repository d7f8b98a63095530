"""What settings mean for the session, its ears and its persona."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mien.errors import InputError, MienError, MissingError
from mien.live import SessionOptions
from mien.live.mind import Mind
from mien.mind.brief import Brief, Function, FunctionCall
from mien.persona import Persona
from mien.serve.house import House
from mien.serve.realtime.inputs import ResponseSettings
from mien.serve.realtime.settings import SemanticVad, ServerVad, Settings, VoiceId
from mien.serve.refusals import RefusedError
from mien.speech.languages import base
from mien.speech.listening import Models, Options, Speaking, TurnOptions
from mien.speech.listening.activity import Thresholds
from mien.speech.listening.recogniser import PACKS

RESUME_S = 60.0
Results = tuple[tuple[FunctionCall, str], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """All that a session is made of."""

    persona: Persona
    mind: Mind
    models: Models
    hearing: Options
    options: SessionOptions


def completed(house: House, settings: Settings) -> Settings:
    """Return settings with the persona and the language named; raises `RefusedError` for ones unknown."""
    name = settings.mien.persona or house.default
    try:
        house.spec(name)
    except MissingError as error:
        raise RefusedError(str(error), "invalid_value", "session.mien.persona") from None
    try:
        language = house.check_language(name, settings.mien.language)
    except InputError as error:
        raise RefusedError(str(error), "invalid_value", "session.mien.language") from None
    named = settings.mien.model_copy(update={"persona": name, "language": language})
    return settings.model_copy(update={"mien": named})


def parts(house: House, settings: Settings) -> Parts:
    """Load what completed settings need (seconds the first time); raises `RefusedError`."""
    name = settings.mien.persona
    try:
        persona = house.persona(name, voice(settings))
        models = house.models(speaking(settings))
        return Parts(persona, house.mind(name), models, hearing(settings), options(settings))
    except MissingError as error:
        raise RefusedError(str(error), "invalid_value", "session") from None
    except MienError as error:
        raise RefusedError(str(error), "server_error", None, "server_error", 500) from None


def voice(settings: Settings) -> str:
    """Return the voice's name."""
    wanted = settings.audio.output.voice
    return wanted.id if isinstance(wanted, VoiceId) else wanted


def speaking(settings: Settings) -> Speaking:
    """Return what is listened for."""
    told = settings.audio.input.transcription
    language = settings.mien.language
    if told is None:
        return Speaking(language)
    terms = [*(told.keywords or ()), *(told.prompt or "").split(",")]
    model = told.model if told.model in PACKS else ""
    expect = tuple(term.strip() for term in terms if term.strip())
    return Speaking(base(told.language) if told.language else language, expect, model or "")


def hearing(settings: Settings) -> Options:
    """Return how it is listened."""
    detection, words = settings.audio.input.turn_detection, tuple(settings.mien.wake_words)
    if detection is None:
        return Options(turn=TurnOptions("manual"), wake_words=words)
    if isinstance(detection, SemanticVad):
        return Options(turn=TurnOptions("semantic", detection.eagerness), wake_words=words)
    return replace(_by_silence(detection), wake_words=words)


def _by_silence(detection: ServerVad) -> Options:
    silence = max(0.01, min(0.35, detection.threshold - 0.15))
    return Options(
        Thresholds(detection.threshold, silence),
        TurnOptions("silence", silence_s=detection.silence_duration_ms / 1000),
        detection.prefix_padding_ms / 1000,
    )


def brief(settings: Settings, wanted: ResponseSettings, results: Results = ()) -> Brief:
    """Return what the client adds for a language model, as one answer wants it."""
    tools = settings.tools if wanted.tools is None else wanted.tools
    choice = settings.tool_choice if wanted.tool_choice is None else wanted.tool_choice
    functions = tuple(Function(tool.name, tool.description or "", tool.parameters or {}) for tool in tools)
    named = choice if isinstance(choice, str) else choice.name
    return Brief(wanted.instructions or settings.instructions, functions, named, results)


def options(settings: Settings) -> SessionOptions:
    """Return how the session behaves."""
    return SessionOptions(
        barge_in=settings.barge_in,
        answers=settings.answers and settings.speaks,
        speed=settings.audio.output.speed,
        resume_s=RESUME_S,
    )


def check(before: Settings, after: Settings, *, spoke: bool) -> None:
    """Raise `RefusedError` for a change that can not be made any more."""
    same = before.mien.persona == after.mien.persona
    if spoke and same and voice(before) != voice(after):
        raise RefusedError(
            "the voice can not be changed after sound was given out", "invalid_value", "session.audio.output"
        )


def warnings(house: House, settings: Settings) -> list[str]:
    """Return what was asked and can not be followed."""
    told = []
    if (settings.instructions or settings.tools) and not house.thinks(settings.mien.persona):
        name = settings.mien.persona
        told.append(f"persona {name} has no language model: instructions and tools are not followed")
    if settings.audio.input.noise_reduction is not None:
        told.append("noise_reduction is not followed: the recogniser bears noise by itself")
    if settings.max_output_tokens != "inf":
        told.append("max_output_tokens is not followed")
    for key in ("prompt", "reasoning", "tracing", "truncation", "include", "parallel_tool_calls"):
        if getattr(settings, key) not in (None, "auto", [], True, "disabled"):
            told.append(f"{key} is not followed")
    return told
