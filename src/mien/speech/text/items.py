"""What the readers of markup (plain text with Markdown, SSML) hand to the segmenter."""

from __future__ import annotations

from dataclasses import dataclass

from mien.face.feeling import Emotion, Look
from mien.speech.breath import Prosody


@dataclass(frozen=True, slots=True)
class Style:
    """How a stretch of text is said; all but `language` and `emphasis` hold for a whole breath."""

    language: str = "en"
    emphasis: float = 0.0
    prosody: Prosody = Prosody()
    emotion: Emotion = Emotion()
    look: Look | None = None
    voice: str | None = None

    def same_breath(self, other: Style) -> bool:
        """Whether text of both styles can share a breath."""
        return (self.prosody, self.emotion, self.look, self.voice) == (
            other.prosody,
            other.emotion,
            other.look,
            other.voice,
        )


@dataclass(frozen=True, slots=True)
class Text:
    """Written text; consecutive ones of one style are one text, however it was cut."""

    text: str
    style: Style


@dataclass(frozen=True, slots=True)
class Atom:
    """Words or phonemes that are spoken as they are: never split, looked up or normalised."""

    text: str
    style: Style
    phonemes: str | None = None


@dataclass(frozen=True, slots=True)
class Close:
    """The end of a `"clause"` (table cell), `"sentence"` (list item, heading) or `"paragraph"`."""

    kind: str


@dataclass(frozen=True, slots=True)
class Break:
    """An SSML break: `pause_s` seconds of silence; 0 forbids a pause here."""

    pause_s: float


@dataclass(frozen=True, slots=True)
class MarkAt:
    """An SSML mark."""

    name: str


Item = Text | Atom | Close | Break | MarkAt
