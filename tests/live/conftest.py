import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import dataclass, field

import numpy as np
import pytest

from mien.audio.pcm import Pcm
from mien.face.phone import Phone
from mien.live import clock
from mien.live.events import Output, Stretch
from mien.live.mind import Asked, Said
from mien.live.options import SessionOptions
from mien.live.session import Session
from mien.persona import Persona
from mien.persona import spec as specs
from mien.speech.breath import Breath
from mien.speech.listening import Event, Word
from mien.speech.voice import SpeechChunk

RATE = 16_000
LETTER_S = 0.06


@dataclass
class Tone:
    """A small voice: each letter is 60 ms of a tone; `works_s`: how long a chunk of 0.2 s takes to make.

    `pace`: seconds that a second of sound takes besides, before any of the breath is given out; nothing for
    the breaths in `known`.
    """

    rate_hz: int = RATE
    languages: frozenset[str] = frozenset()
    works_s: float = 0.0
    pace: float = 0.0
    known: frozenset[str] = frozenset()
    open: int = 0

    async def speak(self, breath: Breath) -> AsyncGenerator[SpeechChunk, None]:
        self.open += 1
        try:
            letters = [letter for letter in breath.text if letter.isalpha()]
            length = round(LETTER_S * RATE)
            phones = tuple(
                Phone("a" if letter in "aeiou" else "t", i * length, (i + 1) * length)
                for i, letter in enumerate(letters)
            )
            sound = np.sin(np.arange(len(letters) * length) * 0.1).astype(np.float32) * 0.2
            await asyncio.sleep(0.0 if breath.text in self.known else self.pace * len(sound) / RATE)
            for start in range(0, len(sound), RATE // 5):
                await asyncio.sleep(self.works_s)
                yield SpeechChunk(
                    Pcm(sound[start : start + RATE // 5], RATE), start, phones if start == 0 else ()
                )
        finally:
            self.open -= 1


@dataclass
class Echo:
    """A mind that repeats what it hears, counts the turns it was told were heard, and takes `thinks_s`."""

    thinks_s: float = 0.0
    answer_with: Callable[[Asked], list[Said]] | None = None
    asked: list[Asked] = field(default_factory=list)
    open: int = 0

    async def answer(self, asked: Asked) -> AsyncGenerator[Said, None]:
        self.asked.append(asked)
        self.open += 1
        try:
            await asyncio.sleep(self.thinks_s)
            if self.answer_with is not None:
                for said in self.answer_with(asked):
                    yield said
                return
            yield Said(f"You said {asked.text}. ", state=(asked.state or 0) + 1)
            yield Said("Is there anything else that you would like to know about it?")
        finally:
            self.open -= 1


class ScriptedEars:
    """Ears whose events a test puts in; sound that is pushed is counted."""

    def __init__(self) -> None:
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        self.closed = False

    def tell(self, *events: Event) -> None:
        for event in events:
            self._events.put_nowait(event)

    async def push(self, pcm: Pcm) -> None:
        await asyncio.sleep(0)

    async def commit(self) -> bool:
        return False

    async def clear(self) -> None:
        await asyncio.sleep(0)

    async def finish(self) -> None:
        self._events.put_nowait(None)

    async def aclose(self) -> None:
        self.closed = True

    async def __aiter__(self) -> AsyncIterator[Event]:
        while (event := await self._events.get()) is not None:
            yield event


@dataclass
class Stage:
    """A session with scripted ears, and who takes everything it gives out, with the time of each."""

    ears: ScriptedEars
    mind: Echo
    voice: Tone
    session: Session
    taken: list[tuple[float, Output]] = field(default_factory=list)
    generations: list[tuple[int, int]] = field(default_factory=list)

    async def take(self) -> None:
        async for output in self.session:
            self.taken.append((round(clock.now(), 6), output))
            if isinstance(output, Stretch) and output.turn:
                self.generations.append((output.turn, self.session.generation))

    def of(self, kind: type) -> list:
        return [output for _, output in self.taken if isinstance(output, kind)]

    def when(self, kind: type) -> list[float]:
        return [at for at, output in self.taken if isinstance(output, kind)]

    @property
    def spoken(self) -> list[Stretch]:
        return [stretch for stretch in self.of(Stretch) if stretch.pcm is not None]

    @property
    def first_sound(self) -> float:
        return next(at for at, output in self.taken if isinstance(output, Stretch) and output.pcm is not None)


def persona(voice: Tone) -> Persona:
    return Persona(specs.read("ava"), voice)


@pytest.fixture
def staged():
    """Run a test's coroutine with a stage, in time that is not spent waiting, and count what it leaves."""

    def run(
        play: Callable[[Stage], object],
        *,
        options: SessionOptions | None = None,
        mind: Echo | None = None,
        voice: Tone | None = None,
    ) -> Stage:
        async def main() -> Stage:
            ears, own_mind, own_voice = ScriptedEars(), mind or Echo(), voice or Tone()
            async with Session(ears, own_mind, persona(own_voice), options) as session:
                stage = Stage(ears, own_mind, own_voice, session)
                taking = asyncio.create_task(stage.take())
                await play(stage)
                await session.aclose()
                await taking
            await asyncio.sleep(0)
            assert len(asyncio.all_tasks()) == 1, "tasks were left"
            assert (own_mind.open, own_voice.open, session.tasks) == (0, 0, 0)
            assert ears.closed
            return stage

        return clock.run(main())

    return run


def words(text: str, start: int = 0) -> tuple[Word, ...]:
    return tuple(Word(f" {word}", start, start + RATE // 4, 0.9) for word in text.split())
