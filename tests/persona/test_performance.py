import asyncio
import math
import tracemalloc
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mien.audio.pcm import Pcm
from mien.face.animator import Animator
from mien.face.phone import SILENCE, Phone
from mien.persona.performance import CHUNK_S, Chunk, Performance
from mien.speech.breath import Breath, Piece
from mien.speech.voice import Mark, SpeechChunk

RATE = 16000


@dataclass
class Scripted:
    """A voice whose sound counts its samples, in chunks of the given sizes; phones come with the first."""

    sizes: list[int]
    rate_hz: int = RATE
    languages: frozenset[str] = frozenset()
    emphasis: float = 0.0
    open: int = 0
    spoken: list[str] = field(default_factory=list)

    async def speak(self, breath: Breath) -> AsyncGenerator[SpeechChunk, None]:
        self.open += 1
        try:
            self.spoken.append(breath.text)
            total, start = sum(self.sizes), 0
            phones = (Phone("p", 0, total // 2), Phone("a", total // 2, total))
            for size in self.sizes:
                sound = Pcm(np.arange(start, start + size, dtype=np.float32) + 1, RATE)
                marks = (Mark("half", total // 2), Mark("", total // 2, self.emphasis)) if start == 0 else ()
                yield SpeechChunk(sound, start, phones if start == 0 else (), marks)
                start += size
                await asyncio.sleep(0)
        finally:
            self.open -= 1


def breaths(*pauses: float) -> list[Breath]:
    return [Breath((Piece(f"breath {i}"),), pause_s=pause) for i, pause in enumerate(pauses)]


def perform(sizes: list[int], pauses: list[float]) -> list[Chunk]:
    async def collect() -> list[Chunk]:
        performance = Performance(Scripted(sizes), Animator(RATE))
        return [chunk async for chunk in performance.chunks(breaths(*pauses))]

    return asyncio.run(collect())


@settings(deadline=None, max_examples=25)
@given(
    st.lists(st.integers(200, 9000), min_size=1, max_size=4),
    st.lists(st.sampled_from([0.0, 0.1, 0.45]), min_size=1, max_size=3),
)
def test_sound_and_face_come_whole_in_order_and_on_one_clock(sizes, pauses):
    chunks = perform(sizes, pauses)
    sound = np.concatenate([chunk.pcm.samples for chunk in chunks])
    expected = [
        part
        for pause in pauses
        for part in (np.arange(sum(sizes), dtype=np.float32) + 1, np.zeros(round(pause * RATE), np.float32))
    ]
    np.testing.assert_array_equal(sound, np.concatenate(expected))
    frame = 0
    for before, after in zip(chunks, [*chunks[1:], None], strict=True):
        end = before.start + len(before.pcm)
        assert after is None or after.start == end
        assert len(before.pcm) <= CHUNK_S * RATE
        for i in range(len(before.face)):
            assert before.face.start_s + i / 60 == pytest.approx(frame / 60, abs=1e-6)
            assert before.start - 1 <= frame / 60 * RATE < end + 1
            frame += 1
    assert frame == math.ceil(len(sound) / RATE * 60 - 1e-6)


def test_phones_marks_and_words_come_once_and_on_the_performance_clock():
    chunks = perform([8000, 8000], [0.5, 0.0])
    phones = [phone for chunk in chunks for phone in chunk.phones]
    assert [p.symbol for p in phones] == ["p", "a", SILENCE, "p", "a"]
    assert [p.start for p in phones] == [0, 8000, 16000, 24000, 32000]
    assert [m.sample for chunk in chunks for m in chunk.marks] == [8000, 32000]
    assert [chunk.text for chunk in chunks if chunk.text] == ["breath 0", "breath 1"]


def test_an_emphasis_moves_the_face_and_is_no_mark():
    async def brows(emphasis: float) -> float:
        voice = Scripted([16000], emphasis=emphasis)
        performance = Performance(voice, Animator(RATE, energy=1.0))
        faces = [chunk.face async for chunk in performance.chunks(breaths(0.5))]
        return float(max(face.weights[:, 41:46].max() for face in faces if len(face)))

    assert asyncio.run(brows(1.0)) > asyncio.run(brows(0.0)) + 0.1


def test_the_lips_are_closed_when_the_sound_has_ended():
    last = perform([16000], [0.5])[-1].face
    assert np.abs(last.weights[-1, 14:41]).max() < 0.2


def test_a_listener_that_leaves_ends_the_voice():
    voice = Scripted([4000] * 10)

    async def leave() -> None:
        stream = Performance(voice, Animator(RATE)).chunks(breaths(0.1, 0.1))
        await anext(stream)
        assert voice.open == 1
        await stream.aclose()

    asyncio.run(leave())
    assert voice.open == 0
    assert voice.spoken == ["breath 0"]


def test_a_pause_alone_is_silence_with_a_face():
    async def collect() -> list[Chunk]:
        performance = Performance(Scripted([1]), Animator(RATE), lead_in_s=0.25)
        return [chunk async for chunk in performance.chunks([Breath((), pause_s=1.0)])]

    chunks = asyncio.run(collect())
    assert sum(len(chunk.pcm) for chunk in chunks) == 1.25 * RATE
    assert sum(len(chunk.face) for chunk in chunks) == 75


def test_a_long_pause_takes_little_memory():
    async def listen() -> tuple[int, int]:
        performance = Performance(Scripted([RATE]), Animator(RATE))
        samples = 0
        async for chunk in performance.chunks(breaths(600.0)):
            samples += len(chunk.pcm)
        return samples, tracemalloc.get_traced_memory()[1]

    tracemalloc.start()
    try:
        samples, peak = asyncio.run(listen())
    finally:
        tracemalloc.stop()
    assert samples == 601 * RATE
    assert peak < 601 * RATE * 4  # the bytes of its sound
