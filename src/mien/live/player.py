"""The session's one output clock: what is given out when, and what of it was heard."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from mien.errors import InputError
from mien.face.pose import FaceTrack
from mien.live import clock
from mien.live.events import Output, Stretch
from mien.live.idle import FRAME_HZ, Blend, IdleFace, Shown
from mien.live.lanes import Generation, Lane
from mien.live.turn import Turn
from mien.persona import Chunk

AGELESS = 1 << 62  # the generation of what no interruption makes void
OUT_MS = 2000.0  # that may wait for who takes it
IDLE_S, ATTENTIVE_S = 2.0, 0.5  # of a listening face at once; while the user speaks it may nod any time;
IDLE_LEAD_S = 0.25  # it is given out so long before it is seen
_LATE_S = 0.06
_BACK_S = 0.15  # a held answer goes on from so long before where it was cut
_KEPT_S = 1.0
_LOST_S = 5.0  # when nobody took anything for so long, or the machine slept, the clock stood


@dataclass(slots=True)
class Delivery:
    """An answer on its way out. `offset`: where its first sample lies on the session's clock, None while that
    is open. On its own clock: `sent`, up to where it was given out; `taken`, up to where somebody took it;
    `heard`, up to where it was heard when it was cut.
    """

    turn: Turn
    offset: int | None = None
    sent: int = 0
    taken: int = 0
    heard: int = 0
    waiting: deque[Chunk] = field(default_factory=deque)
    given: deque[Chunk] = field(default_factory=deque)

    def peek(self) -> Chunk | None:
        """Return the next chunk if it is ready."""
        if not self.waiting and (chunk := self.turn.chunks.taken()) is not None:
            self.waiting.append(chunk)
        return self.waiting[0] if self.waiting else None

    def rewind(self, sample: int) -> None:
        """Give out again what follows `sample`."""
        again = [
            _from(chunk, sample, told=chunk.start < self.taken)
            for chunk in self.given
            if chunk.start + len(chunk.pcm) > sample
        ]
        self.given.clear()
        self.waiting.extendleft(reversed(again))
        self.offset = None

    def take(self, keep_from: int) -> Chunk:
        """Take the next chunk; those that ended before `keep_from` are not kept any more."""
        chunk = self.waiting.popleft()
        self.sent = chunk.start + len(chunk.pcm)
        self.given.append(chunk)
        while self.given[0].start + len(self.given[0].pcm) < keep_from:
            self.given.popleft()
        return chunk


class Player:
    """Puts one answer after the other, and a listening face between them, on one clock without a gap.

    `ended` is called when an answer was heard to its end. All but `run` is called from the event loop and
    returns at once.
    """

    def __init__(
        self,
        rate_hz: int,
        generation: Generation,
        face: IdleFace,
        lead_s: float,
        ended: Callable[[Delivery], None],
    ) -> None:
        self.rate_hz, self._generation, self._lead_s, self._ended = rate_hz, generation, lead_s, ended
        self.out: Lane[Output] = Lane(generation, OUT_MS)
        self.end = self.taken_end = self._furthest = 0
        self.underruns = 0
        self.attentive = False
        self._face = face
        self._grid = rate_hz // math.gcd(rate_hz, FRAME_HZ)  # samples after which a frame begins with one
        self._shown = Shown.nothing()
        self._blend = Blend(None)
        self._delivery: Delivery | None = None
        self._held = self._listens = self._suspended = False
        self._held_at = 0
        self._wake = asyncio.Event()
        self._anchor = (0, clock.now())

    @property
    def delivery(self) -> Delivery | None:
        """The answer that is given out, or held."""
        return self._delivery

    @property
    def held(self) -> bool:
        """Whether the answer is held."""
        return self._held

    def position(self) -> int:
        """Return the sample that is heard now: as the client said last, and as time passed since."""
        sample, at = self._anchor
        if self._suspended:
            return sample
        return sample + int((clock.now() - at) * self.rate_hz)

    def heard(self, sample: int) -> None:
        """Take what the client says it plays now, of a cut that it has not seen yet no more than is left;
        raises `InputError` for what was never given out.
        """
        if not 0 <= sample <= self._furthest:
            raise InputError(f"sample {sample} can not be heard: 0 to {self._furthest} were given out")
        self._anchor = (min(sample, self.end), clock.now())
        self.wake()

    def wake(self) -> None:
        """Look again what is to be done."""
        self._wake.set()

    def play(self, turn: Turn) -> None:
        """Give an answer out, from now on."""
        self._delivery, self._held = Delivery(turn), False
        self.wake()

    def hold(self) -> int:
        """Stop the answer for now; return where."""
        self._held, self._held_at = True, self._cut()
        return self._held_at

    def go_on(self) -> None:
        """Let a held answer go on from a little before where it was cut."""
        if self._delivery is not None and self._held:
            back = self._delivery.heard - round(_BACK_S * self.rate_hz)
            self._delivery.rewind(max(0, self._floor(back)))
        self._held = False
        self.wake()

    def stop(self) -> tuple[Delivery, int] | None:
        """End the answer; return it, and where it ended."""
        delivery, was_held = self._delivery, self._held
        if delivery is None:
            return None
        at = self._held_at if was_held else self._cut()
        self._delivery, self._held = None, False
        return delivery, at

    def nod(self) -> None:
        """Let the listening face nod."""
        if self._listens:
            self._face.nod()

    def again(self) -> None:
        """Give the listening face out again from what is seen now on, for one who did not take it."""
        if self._delivery is None or self._held:
            self.out.discard(lambda output: isinstance(output, Stretch))
            self.end, self._listens = min(max(self.position(), 0), self.end), False
            self.wake()

    def suspend(self, *, suspended: bool) -> None:
        """Give nothing out while nobody is there to take it; the clock stands."""
        self._anchor = (self.position(), clock.now())
        self._suspended = suspended
        self.wake()

    def was_taken(self, output: Output) -> None:
        """Note that an output left the session."""
        if isinstance(output, Stretch):
            self.taken_end = output.start + output.length
            delivery = self._delivery
            if delivery is not None and output.turn == delivery.turn.number and delivery.offset is not None:
                delivery.taken = self.taken_end - delivery.offset
                delivery.turn.waterfall.mark("sent", clock.now())
        self.wake()

    async def run(self) -> None:
        """Give out what is due, for ever."""
        while True:
            self._wake.clear()
            due = None if self._suspended or self.out.held_ms >= OUT_MS else self._next()
            if isinstance(due, Stretch):
                self.end = due.start + due.length
                self._furthest = max(self._furthest, self.end)
                number = due.turn or AGELESS
                self.out.offer(due, 1000.0 * due.length / self.rate_hz, number)
            else:
                await self._wait(due)

    async def _wait(self, seconds: float | None) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        except TimeoutError:
            return

    def _next(self) -> Stretch | float:
        """Return what to give out now, or how long nothing is due, s."""
        if self.position() > self.end + _LOST_S * self.rate_hz:
            self._anchor = (self.end, clock.now())
        now, wait_s = self.position(), math.inf
        delivery = self._delivery
        if delivery is not None and not self._held:
            due = self._answer(delivery, now)
            if isinstance(due, Stretch):
                return due
            wait_s = due
        comes = delivery is not None and not self._held and not delivery.turn.chunks.ended
        idle_s = (self.end - now) / self.rate_hz - (_LATE_S if comes else IDLE_LEAD_S)
        if idle_s <= 0.0:
            length_s = ATTENTIVE_S if self.attentive else IDLE_S
            return self._listen(max(self.end, now) + round(length_s * self.rate_hz))
        return min(idle_s, wait_s)

    def _answer(self, delivery: Delivery, now: int) -> Stretch | float:
        chunk = delivery.peek()
        if chunk is None:
            return self._finish(delivery, now) if delivery.turn.chunks.ended else math.inf
        late = now - round(_LATE_S * self.rate_hz)
        if delivery.offset is None or delivery.offset + chunk.start < late:
            start = self._floor(now - chunk.start) + chunk.start
            if start > self.end:
                return self._listen(start)
            self.underruns += delivery.offset is not None
            delivery.offset = start - chunk.start
        wait_s = (delivery.offset + chunk.start - now) / self.rate_hz - self._lead_s
        return wait_s if wait_s > 0.0 else self._stretch(delivery, delivery.offset, now)

    def _finish(self, delivery: Delivery, now: int) -> float:
        left = 0 if delivery.offset is None else delivery.offset + delivery.sent - now
        if left > 0 or delivery.taken < delivery.sent:
            return left / self.rate_hz if left > 0 else math.inf
        delivery.heard = delivery.sent
        self._delivery = None
        self._ended(delivery)
        return math.inf

    def _stretch(self, delivery: Delivery, offset: int, now: int) -> Stretch:
        chunk = delivery.take(now - offset - round(_KEPT_S * self.rate_hz))
        start = offset + chunk.start
        if self._listens or start != self.end:
            self._blend = Blend(self._shown.cut(self._frames(start)))
            self._listens = False
        frames = offset * FRAME_HZ // self.rate_hz
        first = frames + round(chunk.face.start_s * FRAME_HZ)
        face = self._blend.apply(replace(chunk.face, start_s=first / FRAME_HZ))
        self._show(face, now)
        number, length = delivery.turn.number, len(chunk.pcm)
        return Stretch(self._generation.number, start, length, face, chunk.pcm, number, chunk.text)

    def _listen(self, end: int) -> Stretch:
        """Return a listening face from where there is nothing up to `end`."""
        if not self._listens:
            first = self._frames(self.end)
            self._face.begin(first, self._shown.cut(first))
            self._listens = True
        face = self._face.take(self._frames(end))
        self._show(face, self.position())
        return Stretch(self._generation.number, self.end, end - self.end, face)

    def _cut(self) -> int:
        """Take back what was not heard yet of an answer; return where it is cut."""
        delivery = self._delivery
        if delivery is None or delivery.offset is None:
            return self.end
        at = max(min(self.position(), self.taken_end), 0)
        self.out.discard(lambda output: isinstance(output, Stretch))
        delivery.heard = min(max(at - delivery.offset, 0), delivery.taken)
        self.end, self._listens = min(at, self.end), False
        self.wake()
        return self.end

    def _show(self, face: FaceTrack, now: int) -> None:
        self._shown.add(face, self._frames(max(0, now - round(_KEPT_S * self.rate_hz))))

    def _floor(self, sample: int) -> int:
        return sample // self._grid * self._grid

    def _frames(self, sample: int) -> int:
        """Return how many frames lie before `sample`."""
        return -(-sample * FRAME_HZ // self.rate_hz)


def _from(chunk: Chunk, sample: int, *, told: bool) -> Chunk:
    """Return what of a chunk follows `sample`, without its text where that was `told`."""
    skip = max(0, sample - chunk.start)
    before = -(-(chunk.start + skip) * FRAME_HZ // chunk.pcm.rate_hz) - round(chunk.face.start_s * FRAME_HZ)
    face = chunk.face.cut(max(0, before)) if skip else chunk.face
    text = "" if told else chunk.text
    return replace(chunk, pcm=chunk.pcm.cut(skip), start=chunk.start + skip, face=face, text=text)
