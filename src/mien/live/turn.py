"""One answer in the making: the mind's words become breaths, and breaths become sound with its face."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from mien.errors import InputError, ResourceError
from mien.live import clock
from mien.live.lanes import Generation, Lane
from mien.live.mind import Asked, Mind, Piece
from mien.live.options import SessionOptions
from mien.live.script import Line, Phrasing, Script
from mien.live.waterfall import Waterfall
from mien.mind.brief import FunctionCall
from mien.persona import Chunk, Persona
from mien.persona.performance import Performance
from mien.speech.breath import Breath

TEXT_MS = 8000.0  # of speech that may wait as text
SOUND_MS = 1500.0  # of sound that may wait: as much is prepared before a turn is known to be over
AHEAD_MS = 6000.0  # and then, where the voice is slow: it may need as long for its next breath
_MS_PER_LETTER = 70.0


async def next_piece(pieces: AsyncGenerator[Piece, None], patience_s: float) -> Piece | None:
    """Return what a mind says next, None at its end; raises `ResourceError` when it takes too long."""
    try:
        async with asyncio.timeout(patience_s):
            return await anext(pieces, None)
    except TimeoutError:
        raise ResourceError(
            f"the mind gave no words for {patience_s:g} s; it was stopped, ask again"
        ) from None


class Turn:
    """The answer to one turn; `chunks` holds what is ready. `number` is its generation."""

    def __init__(
        self,
        asked: Asked,
        generation: Generation,
        options: SessionOptions,
        waterfall: Waterfall,
        ready: Callable[[], None],
    ) -> None:
        self.asked, self.number = asked, generation.number
        self.waterfall = waterfall
        self.chunks: Lane[Chunk] = Lane(generation, SOUND_MS)
        self.script = Script(1)
        self.calls: list[FunctionCall] = []
        self.hand_over = ""
        self.clamped: dict[str, int] = {}  # values of the face outside human limits
        self._lines: Lane[Line] = Lane(generation, TEXT_MS)
        self._options, self._ready = options, ready
        self._is_slow = False

    def release(self) -> None:
        """The turn is known to be over."""
        self.asked.confirmed.set()
        self._widen()

    @property
    def waiting_ms(self) -> tuple[float, float]:
        """Speech that waits as text, and as sound."""
        return self._lines.held_ms, self.chunks.held_ms

    async def run(self, mind: Mind, persona: Persona) -> None:
        """Make the answer; raises `MienError` (in a group) when that can not be done."""
        self._is_slow = persona.spec.is_slow
        self._widen()
        try:
            async with asyncio.TaskGroup() as group:
                thinking = group.create_task(self._think(mind, persona))
                group.create_task(self._perform(persona, thinking))
        finally:
            self.chunks.close()
            self._ready()

    def _widen(self) -> None:
        """Let a slow voice get as far ahead as its longest breath may need, once it is known to be heard."""
        if self._is_slow and self.asked.confirmed.is_set():
            self.chunks.widen(AHEAD_MS)

    async def _think(self, mind: Mind, persona: Persona) -> None:
        phrasing = Phrasing(persona.spec.language, persona.spec.lexicon, grows=persona.spec.is_slow)
        async with aclosing(mind.answer(self.asked)) as pieces:
            while (piece := await next_piece(pieces, self._options.first_word_s)) is not None:
                self._mark("understanding")
                self.hand_over = piece.hand_over or self.hand_over
                if piece.call is not None:
                    self.calls.append(piece.call)
                await self._put(phrasing.feed(piece))
        await self._put(phrasing.finish())
        self._lines.close()

    async def _put(self, lines: list[Line]) -> None:
        for line in lines:
            self._mark("breath")
            length_ms = len(line.breath.text) * _MS_PER_LETTER + 1000.0 * line.breath.pause_s
            await self._lines.put(line, max(length_ms, 1.0), self.number)

    async def _perform(self, persona: Persona, thinking: asyncio.Task[None]) -> None:
        performance = await persona.performance(str(self.number))
        self.script = Script(performance.voice.rate_hz)
        last = self._options.longest_answer_s * performance.voice.rate_hz
        async with aclosing(performance.chunks(self._breaths(performance))) as chunks:
            async for chunk in chunks:
                self.clamped = performance.animator.clamped
                if chunk.start >= last:
                    thinking.cancel()
                    return
                await self._give(chunk)
        self.script.finish(performance.clock)
        if not self.script.has_words and not self.calls:
            raise InputError("the mind had no words to say; it must answer every turn with some")

    async def _give(self, chunk: Chunk) -> None:
        self._mark("sound")
        await self.chunks.put(chunk, 1000.0 * chunk.pcm.duration_s, self.number)
        self._ready()

    async def _breaths(self, performance: Performance) -> AsyncGenerator[Breath, None]:
        while (line := await self._lines.take()) is not None:
            self.script.begin(line, performance.clock)
            yield line.breath.faster(self._options.speed)

    def _mark(self, stage: str) -> None:
        self.waterfall.mark(stage, clock.now())
