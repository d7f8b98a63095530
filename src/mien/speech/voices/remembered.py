"""A voice that need not say twice what it said before: a greeting, a question it asks everybody."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections import OrderedDict
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np

from mien.atomic import replacing
from mien.audio.pcm import Pcm
from mien.errors import ResourceError
from mien.face.feeling import Emotion
from mien.face.phone import Phone
from mien.speech.breath import Breath
from mien.speech.voice import Mark, SpeechChunk, Voice

LONGEST_S: Final = 8.0  # a longer breath is soon ahead of who listens
MOST_S: Final = 240.0  # of sound held in memory: 23 MB at 24 kHz


@dataclass(slots=True)
class RememberedVoice:
    """`voice`, and the sound of the breaths that it spoke to their end, those last used first.

    `folder`: where breaths that are spoken ahead (`prepare`) are kept for the next process; None: nowhere.
    It belongs to one voice of one version.
    """

    voice: Voice
    folder: Path | None = None
    most_s: float = MOST_S
    held_s: float = 0.0
    _held: OrderedDict[Breath, tuple[SpeechChunk, ...]] = field(default_factory=OrderedDict)

    @property
    def rate_hz(self) -> int:
        """Sample rate of the sound, Hz."""
        return self.voice.rate_hz

    @property
    def languages(self) -> frozenset[str]:
        """The languages that the voice speaks."""
        return self.voice.languages

    async def speak(self, breath: Breath) -> AsyncGenerator[SpeechChunk, None]:
        """Speak a breath as `voice` does, or as it did."""
        key = _key(breath)
        if key in self._held:
            self._held.move_to_end(key)
            for chunk in self._held[key]:
                yield chunk
            return
        said: list[SpeechChunk] = []
        async with aclosing(self.voice.speak(breath)) as chunks:
            async for chunk in chunks:
                said.append(chunk)
                yield chunk
        self._hold(key, said)

    async def prepare(self, breath: Breath) -> None:
        """Speak a breath that nobody hears yet, or read it from the folder; a full disk is no error."""
        key = _key(breath)
        if key in self._held:
            return
        file = self.folder / f"{_name(key)}.npz" if self.folder is not None else None
        kept = _read(file, self.rate_hz) if file is not None else None
        if kept is not None:
            self._hold(key, kept)
            return
        async with aclosing(self.speak(breath)) as chunks:
            async for _ in chunks:
                pass
        if file is not None and key in self._held:
            with suppress(ResourceError):
                _write(file, self._held[key])

    def _hold(self, key: Breath, said: Sequence[SpeechChunk]) -> None:
        seconds = _seconds(said)
        if not said or seconds > LONGEST_S:
            return
        self._held[key] = tuple(said)
        self.held_s += seconds
        while self.held_s > self.most_s:
            _, dropped = self._held.popitem(last=False)
            self.held_s -= _seconds(dropped)


def _key(breath: Breath) -> Breath:
    """Return what of a breath the voice hears."""
    return replace(breath, pause_s=0.0, emotion=Emotion(), look=None)


def _name(key: Breath) -> str:
    return hashlib.sha256(json.dumps(asdict(key), ensure_ascii=False).encode()).hexdigest()[:32]


def _seconds(said: Sequence[SpeechChunk]) -> float:
    return sum(chunk.pcm.duration_s for chunk in said)


def _write(file: Path, said: Sequence[SpeechChunk]) -> None:
    about = [
        {
            "start": chunk.start,
            "length": len(chunk.pcm),
            "phones": [asdict(phone) for phone in chunk.phones],
            "marks": [asdict(mark) for mark in chunk.marks],
        }
        for chunk in said
    ]
    sound = np.concatenate([chunk.pcm.samples for chunk in said])
    file.parent.mkdir(parents=True, exist_ok=True)
    with replacing(file) as aside, aside.open("wb") as out:
        np.savez(out, sound=sound, about=np.frombuffer(json.dumps(about).encode(), np.uint8))


def _read(file: Path, rate_hz: int) -> list[SpeechChunk] | None:
    """Return what a file keeps; None when there is none, or it is damaged."""
    try:
        with file.open("rb") as source, np.load(source) as kept:
            sound, about = kept["sound"], json.loads(kept["about"].tobytes())
        return [
            SpeechChunk(
                Pcm(sound[row["start"] : row["start"] + row["length"]], rate_hz),
                row["start"],
                tuple(Phone(**phone) for phone in row["phones"]),
                tuple(Mark(**mark) for mark in row["marks"]),
            )
            for row in about
        ]
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
        return None
