"""Ears of a session that can be told to listen otherwise."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

from mien.audio.pcm import Pcm
from mien.serve.realtime.sound import CLOCK_HZ
from mien.speech.listening import Event, Final, Listener, Models, Options, Partial


@dataclass(eq=False)
class _Tuned:
    """A listener; its clock begins at `base`, its generations at `generation`."""

    listener: Listener
    base: int
    generation: int


class ChangingEars:
    """One stream of sound at 24 kHz, listened to by one `Listener` after the other, on one clock."""

    def __init__(self, models: Models, options: Options) -> None:
        self._pushed = 0
        self._tuned = self._tune(models, options)

    async def change(self, models: Models, options: Options) -> None:
        """Listen otherwise from now on; a turn that is open is forgotten, words that are due still come."""
        before = self._tuned
        await before.listener.clear()
        self._tuned = self._tune(models, options, before)
        await before.listener.finish()

    def _tune(self, models: Models, options: Options, before: _Tuned | None = None) -> _Tuned:
        generation = 0 if before is None else before.generation + before.listener.generation + 1
        return _Tuned(Listener(models, options, rate_hz=CLOCK_HZ), self._pushed, generation)

    async def push(self, pcm: Pcm) -> None:
        """Hear the next sound."""
        await self._tuned.listener.push(pcm)
        self._pushed += len(pcm)

    async def commit(self) -> int | None:
        """End the turn now; returns where it ended, None if there was none."""
        tuned = self._tuned
        ended = await tuned.listener.commit()
        return None if ended is None else ended + tuned.base

    async def clear(self) -> None:
        """Forget the turn that is open."""
        await self._tuned.listener.clear()

    async def finish(self) -> None:
        """The sound is over."""
        await self._tuned.listener.finish()

    async def aclose(self) -> None:
        """Stop all work."""
        await self._tuned.listener.aclose()

    async def __aiter__(self) -> AsyncIterator[Event]:
        while True:
            tuned = self._tuned
            async for event in tuned.listener:
                yield _moved(event, tuned)
            if tuned is self._tuned:
                return


def _moved(event: Event, by: _Tuned) -> Event:
    moved = replace(event, sample=event.sample + by.base, generation=event.generation + by.generation)
    if isinstance(moved, Final | Partial):
        words = (replace(word, start=word.start + by.base, end=word.end + by.base) for word in moved.words)
        return replace(moved, words=tuple(words))
    return moved
