"""Phonemes on the utterance clock."""

from __future__ import annotations

from dataclasses import dataclass, replace

SILENCE = ""


@dataclass(frozen=True, slots=True)
class Phone:
    """One phoneme with its time on the utterance clock.

    `symbol`: one IPA phoneme, length marks kept, stress and tone marks removed; `""` is silence.
    `start`, `end`: samples of the utterance at the voice's rate.
    `stress`: 0 none, 1 secondary, 2 primary (or a Mandarin syllable's nucleus with full tone).
    """

    symbol: str
    start: int
    end: int
    stress: int = 0

    def shifted(self, samples: int) -> Phone:
        """Return the phone moved by `samples` on the clock."""
        return replace(self, start=self.start + samples, end=self.end + samples)
