"""Breaths become sound and face on one clock: samples since the first sample of the performance."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Iterable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from mien.audio.pcm import Pcm
from mien.face.animator import Animator
from mien.face.feeling import Cue
from mien.face.phone import SILENCE, Phone
from mien.face.pose import FaceTrack
from mien.speech.breath import Breath
from mien.speech.voice import Mark, SpeechChunk, Voice
from mien.speech.voices.worker import Pace, sounding

CHUNK_S = 0.5  # the longest chunk: a listener can be interrupted, and progress shown, this often


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """The next stretch of a performance: sound and the face that belongs to it.

    `start`: first sample on the performance's clock. `face`: the 60 Hz frames whose time lies
    inside this stretch. `phones`: those that start in it. `text`: the words of the breath that
    begins in this chunk, else empty.
    """

    pcm: Pcm
    start: int
    face: FaceTrack
    phones: tuple[Phone, ...] = ()
    marks: tuple[Mark, ...] = ()
    text: str = ""


@dataclass(slots=True)
class Spent:
    """Seconds of wall time that each stage took."""

    voice: float = 0.0
    face: float = 0.0


@dataclass(slots=True)
class Performance:
    """Speaks breaths with a voice and animates them; see `chunks`.

    Sound is given out only with its final face, so a chunk can be played or drawn at once; the
    animator's look-ahead is the most that sound waits for it.
    """

    voice: Voice
    animator: Animator
    spent: Spent = field(default_factory=Spent)
    lead_in_s: float = 0.0
    _held: deque[Pcm] = field(default_factory=deque)
    _held_start: int = 0
    _face: FaceTrack = field(default_factory=FaceTrack.empty)
    _phones: list[Phone] = field(default_factory=list)
    _marks: list[Mark] = field(default_factory=list)
    _feeling: Cue = Cue(0)
    _clock: int = 0
    _pace: Pace = field(default_factory=Pace)

    @property
    def clock(self) -> int:
        """Samples spoken so far; while a breath is asked for, where it will begin."""
        return self._clock

    async def chunks(self, breaths: Iterable[Breath] | AsyncIterable[Breath]) -> AsyncGenerator[Chunk, None]:
        """Yield the performance in order, each breath asked for when the one before is spoken; the last
        chunk ends with the lips closed.
        """
        self._pause(self.lead_in_s)
        async with aclosing(_each(breaths)) as source:
            async for breath in source:
                text = breath.text
                async with aclosing(self._breath(breath)) as chunks:
                    async for chunk in chunks:
                        yield replace(chunk, text=text)
                        text = ""
        for chunk in self._finish():
            yield chunk

    async def _breath(self, breath: Breath) -> AsyncGenerator[Chunk, None]:
        origin = self._clock
        self._feeling = Cue(origin, breath.emotion, breath.look)
        self.animator.cue(self._feeling)
        known = origin
        if breath.pieces:
            async with aclosing(self._timed(breath)) as parts:
                async for part in parts:
                    known = self._take(part, origin, known)
                    for chunk in self._release(known):
                        yield chunk
        self._pause(breath.pause_s)
        for chunk in self._release(self._clock):
            yield chunk

    async def _timed(self, breath: Breath) -> AsyncGenerator[SpeechChunk, None]:
        async with aclosing(self.voice.speak(breath)) as stream:
            while True:
                sounding.set(self._pace)  # a voice reads it in the context of whoever asks for its sound
                began = time.perf_counter()
                part = await anext(stream, None)
                self.spent.voice += time.perf_counter() - began
                if part is None:
                    return
                yield part

    def _take(self, part: SpeechChunk, origin: int, known: int) -> int:
        """Take a voice's chunk onto the clock and return up to where phones are known."""
        phones = [phone.shifted(origin) for phone in part.phones]
        self._feed(phones)
        for mark in part.marks:
            self._mark(replace(mark, sample=mark.sample + origin))
        self._sound(part.pcm)
        return max(known, phones[-1].end if phones else known)

    def _mark(self, mark: Mark) -> None:
        if mark.emphasis:
            self.animator.cue(replace(self._feeling, start=mark.sample, emphasis=mark.emphasis))
        if mark.name:
            self._marks.append(mark)

    def _pause(self, seconds: float) -> None:
        count = round(seconds * self.voice.rate_hz)
        if count > 0:
            self._feed([Phone(SILENCE, self._clock, self._clock + count)])
            block = Pcm.silence(CHUNK_S, self.voice.rate_hz)  # again and again: a long pause is small
            for start in range(0, count, len(block)):
                self._sound(block.cut(0, min(len(block), count - start)))

    def _feed(self, phones: list[Phone]) -> None:
        self.animator.feed(phones)
        self._phones += phones

    def _sound(self, pcm: Pcm) -> None:
        if len(pcm):
            self._held.append(pcm)
            self._clock += len(pcm)
            self._pace.gave(pcm.duration_s)

    def _release(self, known: int) -> Iterator[Chunk]:
        """Give out the sound whose face became final, given phones known up to `known`."""
        self._animate(self.animator.advance, known)
        final = int(self._face.end_s * self.voice.rate_hz + 1e-6) if len(self._face) else 0
        return self._cuts(min(self._clock, final))

    def _finish(self) -> Iterator[Chunk]:
        self._animate(self.animator.finish, self._clock)
        return self._cuts(self._clock)

    def _animate(self, step: Callable[[int], FaceTrack], sample: int) -> None:
        began = time.perf_counter()
        track = step(sample)
        self.spent.face += time.perf_counter() - began
        if len(track):
            self._face = FaceTrack.join([self._face, track]) if len(self._face) else track

    def _cuts(self, end: int) -> Iterator[Chunk]:
        while self._held_start < end:
            yield self._cut(min(end, self._held_start + round(CHUNK_S * self.voice.rate_hz)))

    def _cut(self, end: int) -> Chunk:
        """Take the held sound up to `end`, with all that belongs to it."""
        start = self._held_start
        self._held_start = end
        sound = Pcm.join(self._taken(end - start), self.voice.rate_hz)
        face, self._face = _split(self._face, end / self.voice.rate_hz)
        phones = tuple(phone for phone in self._phones if phone.start < end)
        marks = tuple(mark for mark in self._marks if mark.sample <= end)
        self._phones = self._phones[len(phones) :]
        self._marks = self._marks[len(marks) :]
        return Chunk(sound, start, face, phones, marks)

    def _taken(self, count: int) -> Iterator[Pcm]:
        """Take the first `count` samples of the held sound, piece by piece."""
        while count > 0:
            piece = self._held.popleft()
            if len(piece) > count:
                self._held.appendleft(piece.cut(count))
            yield piece.cut(0, count)
            count -= len(piece)


async def _each(breaths: Iterable[Breath] | AsyncIterable[Breath]) -> AsyncGenerator[Breath, None]:
    if isinstance(breaths, AsyncIterable):
        async for breath in breaths:
            yield breath
    else:
        for breath in breaths:
            yield breath


def _split(track: FaceTrack, time_s: float) -> tuple[FaceTrack, FaceTrack]:
    """Split at `time_s`: frames before it, and the rest."""
    count = min(len(track), max(0, math.ceil((time_s - track.start_s) * track.rate_hz - 1e-6)))
    return track.cut(0, count), track.cut(count)
