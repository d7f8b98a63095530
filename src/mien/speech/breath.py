"""What is said in one breath: the form into which every text is brought before it is spoken."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mien.face.feeling import Emotion, Look

RATE = (0.25, 4.0)  # what voices can do


@dataclass(frozen=True, slots=True)
class Prosody:
    """`rate` as a factor (1 = the voice's own), `pitch` in semitones, `volume` in dB."""

    rate: float = 1.0
    pitch: float = 0.0
    volume: float = 0.0


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of words in one language, normalised: ready for phonemes.

    `language`: ISO 639-1 with optional region (`"en"`, `"en-gb"`, `"zh"`).
    `phonemes`: IPA given by the user (lexicon, SSML `<phoneme>`), or, for Mandarin, syllables
    with tone numbers as `"pinyin:chong2 qing4"`; wins over `text`, whose punctuation still counts.
    `emphasis`: 0 to 1. `mark`: name of an SSML mark at the piece's start; a piece without text
    or phonemes only holds a mark.
    """

    text: str
    language: str = "en"
    phonemes: str | None = None
    emphasis: float = 0.0
    mark: str | None = None


@dataclass(frozen=True, slots=True)
class Breath:
    """One breath: one prosody, one feeling, one voice; `pause_s` of silence follow it.

    `voice` None is the persona's own. A breath without pieces is a pause.
    """

    pieces: tuple[Piece, ...]
    pause_s: float = 0.0
    prosody: Prosody = Prosody()
    emotion: Emotion = Emotion()
    look: Look | None = None
    voice: str | None = None

    @property
    def text(self) -> str:
        """The words, as they are spoken."""
        return " ".join(piece.text for piece in self.pieces)

    def faster(self, factor: float) -> Breath:
        """Return the breath at another speed, as far as voices can go."""
        rate = min(max(self.prosody.rate * factor, RATE[0]), RATE[1])
        return replace(self, prosody=replace(self.prosody, rate=rate))
