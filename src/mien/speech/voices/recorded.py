"""A person's own voice: a recording, with the words that are said in it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from mien.audio import features
from mien.audio.features import FRAME_HZ
from mien.audio.pcm import Pcm
from mien.errors import InputError
from mien.face.phone import SILENCE, Phone
from mien.speech.breath import Breath, Prosody
from mien.speech.voice import Mark, SpeechChunk, Voice
from mien.speech.voices.alignment import Alignment, align, carry
from mien.speech.voices.placing import place

RATIOS = (0.4, 2.5)  # how much slower or faster than the reference a person may speak
DOUBTFUL_COST, WRONG_COST = 0.77, 0.84  # the same words cost 0.12 to 0.67 in long texts, others 0.87 and more
SHORT_COST = 0.08  # s: more is forgiven in a short text, as one word may cost 0.8
SHORTEST_S = 0.8
PAUSE_S = 0.2  # between the reference's breaths
NEAR = round(0.25 * FRAME_HZ)  # a pause this near to where a breath ends is the one between breaths

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """One breath's stretch of the recording; `phones` count from its start."""

    breath: Breath
    pcm: Pcm
    phones: tuple[Phone, ...]
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Reference:
    """The words as the reference voice says them; `first`: index of each breath's first phone."""

    pcm: Pcm
    phones: tuple[Phone, ...]
    first: tuple[int, ...]


class RecordedVoice:
    """Speaks the recording itself, with phone times found by alignment with a built-in voice.

    First `script` the breaths of its text, then `speak` what came back, in order.
    """

    def __init__(self, pcm: Pcm, reference: Voice) -> None:
        self._pcm = pcm
        self._reference = reference
        self._parts: list[_Part] = []
        self._next = 0

    @property
    def rate_hz(self) -> int:
        """Sample rate of the recording, Hz."""
        return self._pcm.rate_hz

    @property
    def languages(self) -> frozenset[str]:
        """The languages of the reference voice."""
        return self._reference.languages

    async def script(self, breaths: Sequence[Breath]) -> tuple[Breath, ...]:
        """Align the recording with its text and return the breaths to speak: without pauses of their own,
        as the recording has them.

        Raises `InputError` when the words do not fit the recording.
        """
        spoken = tuple(replace(breath, pause_s=0.0) for breath in breaths if breath.text.strip())
        if not spoken:
            raise InputError(
                "the text of the recording is empty; leave it out to let the sound alone move lips"
            )
        reference = await _say(self._reference, spoken)
        self._parts = await asyncio.to_thread(_parts, self._pcm, spoken, reference)
        self._next = 0
        return spoken

    async def speak(self, breath: Breath) -> AsyncGenerator[SpeechChunk, None]:
        """Give the breath's stretch of the recording. Raises `InputError` for a breath not in the script."""
        part = self._part(breath)
        yield SpeechChunk(part.pcm, 0, part.phones, part.marks)

    def _part(self, breath: Breath) -> _Part:
        order = [*range(self._next, len(self._parts)), *range(self._next)]
        for i in order:
            part: _Part = self._parts[i]
            if part.breath.pieces == breath.pieces:
                self._next = i + 1
                return part
        raise InputError(f"{breath.text[:40]!r} is not in the recording's text; script it first")


async def _say(voice: Voice, breaths: Sequence[Breath]) -> _Reference:
    sounds: list[Pcm] = []
    phones: list[Phone] = []
    first = []
    at = 0
    for breath in breaths:
        first.append(len(phones))
        plain = replace(breath, prosody=Prosody())
        async with aclosing(voice.speak(plain)) as chunks:
            async for chunk in chunks:
                phones += [phone.shifted(at) for phone in chunk.phones]
                sounds.append(chunk.pcm)
        pause = Pcm.silence(PAUSE_S, voice.rate_hz)
        sounds.append(pause)
        at = sum(len(sound) for sound in sounds)
    return _Reference(Pcm.join(sounds, voice.rate_hz), tuple(phones), tuple(first))


def _parts(recording: Pcm, breaths: Sequence[Breath], reference: _Reference) -> list[_Part]:
    alignment = align(recording, reference.pcm)
    _judge(alignment)
    carried = carry(reference.phones, reference.pcm.rate_hz, alignment)
    placed = place(carried, alignment.pauses, features.energy_db(recording))
    cuts = [_cut(placed, carried[first].start) for first in reference.first[1:]]
    edges = np.maximum.accumulate([0, *cuts, placed[-1].end])
    return [
        _part(recording, breath, placed, int(start), int(end))
        for breath, (start, end) in zip(breaths, pairwise(edges), strict=True)
    ]


def _cut(placed: Sequence[Phone], frame: int) -> int:
    """Return where to part two breaths: in the middle of a pause near `frame`, else between two phones."""
    near = [p for p in placed if p.symbol == SILENCE and p.start - NEAR <= frame <= p.end + NEAR]
    if near:
        longest = max(near, key=lambda phone: phone.end - phone.start)
        return (longest.start + longest.end) // 2
    return min((phone.start for phone in placed), key=lambda start: abs(start - frame))


def _part(recording: Pcm, breath: Breath, placed: Sequence[Phone], start: int, end: int) -> _Part:
    """Return the breath's part: `start` and `end` in frames, the last one up to the last sample."""
    last = end == placed[-1].end
    per_frame = recording.rate_hz / FRAME_HZ
    first, stop = round(start * per_frame), len(recording) if last else round(end * per_frame)
    inside = [p for p in placed if p.end > start and p.start < end]
    phones = tuple(
        replace(
            phone,
            start=round(max(phone.start, start) * per_frame) - first,
            end=(stop if phone.end >= end else round(phone.end * per_frame)) - first,
        )
        for phone in inside
    )
    return _Part(breath, recording.cut(first, stop), phones, _marks(breath, stop - first))


def _marks(breath: Breath, length: int) -> tuple[Mark, ...]:
    """Return the breath's marks, each where its piece's share of the letters begins."""
    letters = [max(1, len(piece.text)) for piece in breath.pieces]
    begins = np.cumsum([0, *letters]) / max(1, sum(letters))
    named = zip(breath.pieces, begins, strict=False)
    return tuple(
        Mark(piece.mark or "", round(share * length), piece.emphasis)
        for piece, share in named
        if piece.mark or piece.emphasis
    )


def _judge(alignment: Alignment) -> None:
    """Raise `InputError` when the words can not be those of the recording, warn when it is doubtful."""
    low, high = RATIOS
    if not low <= alignment.ratio <= high:
        raise InputError(
            f"the recording's speech is {alignment.ratio:.1f} times as long as its text takes to say; "
            f"{low} to {high} is plausible: is it the right text?"
        )
    forgiven = SHORT_COST / max(alignment.speech_s, SHORTEST_S)
    if alignment.cost > WRONG_COST + forgiven:
        raise InputError(
            f"the text is not what is said in the recording (mismatch {alignment.cost:.2f}, at most "
            f"{WRONG_COST + forgiven:.2f}); correct it, or leave it out to let the sound alone move the lips"
        )
    if alignment.cost > DOUBTFUL_COST + forgiven:
        _log.warning("the text may not be what is said in the recording (mismatch %.2f)", alignment.cost)
