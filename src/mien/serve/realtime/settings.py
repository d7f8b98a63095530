"""The settings of a session, as `session.update` changes them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field

from mien.live.options import BARGE_IN

MOST_TOOLS = 128
LONGEST_INSTRUCTIONS = 32_000
Text = Annotated[str, Field(max_length=200)]


class Strict(BaseModel):
    """An object whose unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", strict=True)


class PcmFormat(Strict):
    """16 bits, little endian, mono."""

    type: Literal["audio/pcm"] = "audio/pcm"
    rate: Literal[24000] = 24000


class MulawFormat(Strict):
    """G.711 µ-law at 8 kHz."""

    type: Literal["audio/pcmu"] = "audio/pcmu"


class AlawFormat(Strict):
    """G.711 A-law at 8 kHz."""

    type: Literal["audio/pcma"] = "audio/pcma"


Format = Annotated[PcmFormat | MulawFormat | AlawFormat, Discriminator("type")]


class ServerVad(Strict):
    """A turn is over after silence."""

    type: Literal["server_vad"] = "server_vad"
    threshold: float = Field(default=0.5, ge=0.05, le=0.95)
    prefix_padding_ms: int = Field(default=300, ge=0, le=5000)
    silence_duration_ms: int = Field(default=500, ge=32, le=60_000)
    idle_timeout_ms: None = None
    create_response: bool = True
    interrupt_response: bool = True


class SemanticVad(Strict):
    """A turn is over when what was said sounds like it."""

    type: Literal["semantic_vad"] = "semantic_vad"
    eagerness: Literal["low", "medium", "high", "auto"] = "auto"
    create_response: bool = True
    interrupt_response: bool = True


TurnDetection = Annotated[ServerVad | SemanticVad, Discriminator("type")]


class Transcription(Strict):
    """How the user's words are told. `keywords` and `prompt` are names and terms that may come."""

    model: Text | None = "whisper-1"
    language: Text | None = None
    prompt: str | None = Field(default=None, max_length=2000)
    keywords: list[Text] | None = Field(default=None, max_length=200)


class NoiseReduction(Strict):
    """Taken and kept; the recogniser bears noise by itself."""

    type: Literal["near_field", "far_field"]


class AudioInput(Strict):
    """The user's side."""

    format: Format = PcmFormat()
    transcription: Transcription | None = Transcription()
    noise_reduction: NoiseReduction | None = None
    turn_detection: TurnDetection | None = SemanticVad()


class VoiceId(Strict):
    """A voice by its id."""

    id: Text


class AudioOutput(Strict):
    """The persona's side."""

    format: Format = PcmFormat()
    voice: Text | VoiceId = "default"
    speed: float = Field(default=1.0, ge=0.25, le=1.5)


class Audio(Strict):
    """Both sides."""

    input: AudioInput = AudioInput()
    output: AudioOutput = AudioOutput()


class Tool(Strict):
    """A function that the client runs."""

    type: Literal["function"] = "function"
    name: str = Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")
    description: str | None = Field(default=None, max_length=4000)
    parameters: dict[str, Any] | None = None


class ToolChoice(Strict):
    """One function, and no other."""

    type: Literal["function"]
    name: Text


class Video(Strict):
    """Pictures from the server."""

    width: int = Field(default=480, ge=64, le=1280, multiple_of=2)
    height: int = Field(default=480, ge=64, le=1280, multiple_of=2)
    fps: int = Field(default=12, ge=1, le=30)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.width, self.height


class Mien(Strict):
    """What is mien's own."""

    persona: Text = ""
    language: Text = ""
    face: bool = False
    video: Video | Literal[False] = False
    barge_in: Literal["hold", "words", "voice"] = "hold"
    wake_words: list[Text] = Field(default=[], max_length=16)


class Settings(Strict):
    """All of a session."""

    type: Literal["realtime", "transcription"] = "realtime"
    model: Text | None = "mien"
    output_modalities: list[Literal["text", "audio"]] = Field(default=["audio"], min_length=1, max_length=1)
    instructions: str = Field(default="", max_length=LONGEST_INSTRUCTIONS)
    tools: list[Tool] = Field(default=[], max_length=MOST_TOOLS)
    tool_choice: Literal["auto", "none", "required"] | ToolChoice = "auto"
    max_output_tokens: Annotated[int, Field(ge=1, le=4096)] | Literal["inf"] = "inf"
    include: list[Text] | None = None
    parallel_tool_calls: bool | None = None
    prompt: dict[str, Any] | None = None
    reasoning: dict[str, Any] | None = None
    tracing: Any = None
    truncation: Any = None
    audio: Audio = Audio()
    mien: Mien = Mien()

    def updated(self, change: Settings) -> Settings:
        """Return the settings with those that `change` names; what it leaves out stays."""
        return Settings.model_validate(_merged(self.model_dump(), change.model_dump(exclude_unset=True)))

    @property
    def answers(self) -> bool:
        """Whether a turn is answered by itself."""
        detection = self.audio.input.turn_detection
        return self.type == "realtime" and detection is not None and detection.create_response

    @property
    def speaks(self) -> bool:
        """Whether answers are spoken."""
        return self.output_modalities == ["audio"]

    @property
    def barge_in(self) -> str:
        """What the user's voice does to an answer."""
        detection = self.audio.input.turn_detection
        return self.mien.barge_in if detection is not None and detection.interrupt_response else BARGE_IN[-1]


_WHOLE = frozenset({"format", "turn_detection", "noise_reduction", "video", "tool_choice", "voice"})


def _merged(now: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """Return `now` with `change` laid over it; what `_WHOLE` names is replaced as a whole."""
    out = dict(now)
    for key, value in change.items():
        old = out.get(key)
        if isinstance(old, dict) and isinstance(value, dict) and key not in _WHOLE:
            out[key] = _merged(old, value)
        else:
            out[key] = value
    return out
