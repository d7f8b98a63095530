"""A recording → its words with their times, and the forms in which they are told."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from mien.audio import files
from mien.audio.pcm import Pcm
from mien.errors import InputError
from mien.media import sounds
from mien.speech.listening import Final, Models, Options, TurnOptions
from mien.speech.listening.playback import play

LONGEST_S = 3600.0
HEARING = Options(turn=TurnOptions("silence", silence_s=0.6))


def decoded(data: bytes, name: str) -> Pcm:
    """Read a recording in any form that libsndfile or FFmpeg knows; raises `InputError`."""
    try:
        pcm = files.decode(data, name)
    except InputError:
        pcm = sounds.decode(data, name, LONGEST_S)
    if pcm.duration_s > LONGEST_S:
        raise InputError(f"{name} lasts {pcm.duration_s:.0f} s; up to {LONGEST_S:.0f} s are transcribed")
    return pcm


async def heard(models: Models, pcm: Pcm) -> AsyncGenerator[Final, None]:
    """Yield what is said, turn by turn."""
    async with aclosing(play(models, pcm, HEARING)) as events:  # type: ignore[type-var]
        async for event, _ in events:
            if isinstance(event, Final):
                yield event


@dataclass(frozen=True, slots=True)
class Transcript:
    """All that was said in a recording of `duration_s`."""

    finals: tuple[Final, ...]
    rate_hz: int
    duration_s: float
    language: str

    @property
    def text(self) -> str:
        """The words as one text."""
        return " ".join(final.text for final in self.finals)

    def lines(self) -> list[tuple[float, float, str]]:
        """Return start, end, text of each turn, s."""
        return [
            (final.words[0].start / self.rate_hz, final.words[-1].end / self.rate_hz, final.text)
            for final in self.finals
        ]

    def verbose(self, parts: set[str]) -> dict[str, Any]:
        """Return what `verbose_json` holds; `parts`: `segment`, `word`."""
        table: dict[str, Any] = {
            "task": "transcribe",
            "language": self.language,
            "duration": round(self.duration_s, 3),
            "text": self.text,
            "usage": self.usage,
        }
        if "segment" in parts:
            table["segments"] = [self._segment(number) for number in range(len(self.finals))]
        if "word" in parts:
            words = (word for final in self.finals for word in final.words)
            table["words"] = [
                {
                    "word": word.text.strip(),
                    "start": round(word.start / self.rate_hz, 3),
                    "end": round(word.end / self.rate_hz, 3),
                }
                for word in words
            ]
        return table

    @property
    def usage(self) -> dict[str, Any]:
        """What it took."""
        return {"type": "duration", "seconds": round(self.duration_s, 3)}

    def srt(self) -> str:
        """Return subtitles as SubRip."""
        rows = (
            f"{number}\n{_stamp(start, ',')} --> {_stamp(end, ',')}\n{text}\n"
            for number, (start, end, text) in enumerate(self.lines(), 1)
        )
        return "\n".join(rows)

    def vtt(self) -> str:
        """Return subtitles as WebVTT."""
        rows = (f"{_stamp(start, '.')} --> {_stamp(end, '.')}\n{text}\n" for start, end, text in self.lines())
        return "\n".join(("WEBVTT\n", *rows))

    def _segment(self, number: int) -> dict[str, Any]:
        """Return a turn as a segment; what only Whisper's own decoder knows is 0."""
        start, end, text = self.lines()[number]
        likely = max(self.finals[number].confidence, 1e-6)
        return {
            "id": number, "seek": 0, "start": round(start, 3), "end": round(end, 3), "text": text,
            "tokens": [], "temperature": 0.0, "avg_logprob": round(math.log(likely), 4),
            "compression_ratio": 0.0, "no_speech_prob": 0.0,
        }  # fmt: skip


def _stamp(seconds: float, point: str) -> str:
    ms = round(seconds * 1000)
    return f"{ms // 3_600_000:02}:{ms // 60_000 % 60:02}:{ms // 1000 % 60:02}{point}{ms % 1000:03}"
