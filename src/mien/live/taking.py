"""Who has the floor: what the user's sound does to the answer, and the answer to come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Protocol

from mien.audio.pcm import Pcm
from mien.live import clock, events
from mien.live.echo import is_echo
from mien.live.options import SessionOptions
from mien.live.player import Player
from mien.live.replies import Past, Replies, Reply
from mien.mind.brief import Brief
from mien.speech.listening import (
    Dismissed,
    Event,
    Final,
    Partial,
    Pause,
    Resumed,
    SpeechStarted,
    SpeechStopped,
)
from mien.speech.listening.activity import RATE_HZ
from mien.speech.listening.agreement import bare
from mien.speech.listening.backchannel import is_backchannel
from mien.speech.listening.events import text as text_of


class Ears(Protocol):
    """What a session needs of a `Listener`."""

    async def push(self, pcm: Pcm) -> None:
        """Hear the next sound."""

    async def commit(self) -> int | None:
        """End the turn now."""

    async def clear(self) -> None:
        """Forget the turn that is open."""

    async def finish(self) -> None:
        """The sound is over."""

    async def aclose(self) -> None:
        """Stop all work."""

    def __aiter__(self) -> AsyncIterator[Event]:
        """Iterate over what is heard."""


class TurnTaking:
    """Turns what is heard into replies. All is done at once, within the event loop."""

    def __init__(
        self,
        replies: Replies,
        player: Player,
        options: SessionOptions,
        tell: Callable[[events.Event], None],
    ) -> None:
        self._replies, self._player, self.options, self._tell = replies, player, options, tell
        self._pause: Pause | None = None
        self._prepared: Reply | None = None  # the answer to what is being said, or was said last
        self._marks: dict[str, float] = {}
        self._holding: asyncio.TimerHandle | None = None
        self._clock = (0, RATE_HZ, 0.0)  # input samples so far, their rate, when the last was spoken
        self._behind, self._took_s = False, 0.0  # whether sound waits since the last was taken, and when
        self._over = False  # what is heard began while an answer was given

    def heard(self, samples: int, rate_hz: int) -> None:
        """Note that sound came, to know later when a sample was spoken: now, unless who brings it waited."""
        count, _, at = self._clock
        now, expected = clock.now(), at + samples / rate_hz
        waited = self._behind and now - self._took_s <= samples / rate_hz  # later it had not come yet
        self._clock = (count + samples, rate_hz, expected if waited and expected < now else now)

    def took(self, samples: int) -> None:
        """Note that the sound was taken, and whether more has come meanwhile."""
        _, rate_hz, at = self._clock
        self._took_s = clock.now()
        self._behind = self._took_s - at > samples / rate_hz

    def on(self, event: Event) -> None:
        """Take what the ears tell."""
        match event:
            case SpeechStarted():
                self._started(event)
            case Partial():
                self._partial(event)
            case Pause():
                self._pause = event
                self._marks = {"pause": clock.now()}
                self._player.nod()
            case Resumed():
                self._pause = None
                self._roll_back()
            case SpeechStopped():
                self._player.attentive = False
                self._tell(events.Stopped(event.sample))
                self._stopped(event)
            case Final():
                self._final(event)
            case Dismissed():
                self._unspoken(event.reason)

    def cleared(self) -> None:
        """What was being said is taken back."""
        self._player.attentive = False
        self._unspoken("cleared")

    def typed(self, words: str, language: str, brief: Brief | None = None) -> int:
        """Answer words that were typed."""
        self._prepared = None
        reply = self._replies.begin(words, language, clock.now(), brief)
        self._replies.release(reply)
        self._tell(events.Committed(reply.turn.number, words, language))
        return reply.turn.number

    def stop(self) -> None:
        """End the answer, and forget one that is being prepared."""
        self._stop_waiting()
        self._prepared = None
        self._replies.drop()

    def hold(self) -> None:
        """Stop the answer for now."""
        delivery = self._player.delivery
        if delivery is not None and not self._player.held:
            self._tell(events.Held(delivery.turn.number, self._player.hold()))

    def go_on(self) -> None:
        """It was no interruption."""
        self._stop_waiting()
        if self._player.held and self._player.delivery is not None:
            self._tell(events.Continued(self._player.delivery.turn.number))
            self._player.go_on()

    def close(self) -> None:
        """Leave no timer behind."""
        self._stop_waiting()

    def _unspoken(self, reason: str) -> None:
        self._pause = None
        self._roll_back()
        self._tell(events.Unspoken(reason))
        self.go_on()

    def _started(self, event: SpeechStarted) -> None:
        self._prepared, self._pause = None, None
        self._player.attentive = True
        self._over = self._player.delivery is not None
        self._tell(events.Listening(event.sample, self._at(event.sample)))
        if self._player.delivery is None:
            return
        if self.options.barge_in == "voice":
            self._interrupt()
        elif self.options.barge_in == "hold":
            self.hold()
            self._stop_waiting()
            loop = asyncio.get_running_loop()
            self._holding = loop.call_later(self.options.hold_s, self.go_on)

    def _partial(self, event: Partial) -> None:
        said = text_of(event.words)
        self._tell(events.Understood(said, len(text_of(event.words[: event.stable]))))
        if self._echoes(said):
            self.go_on()
            return
        backchannel = is_backchannel(event.words, self._clock[1])
        if self._speaks() and not backchannel and self.options.barge_in != "never":
            self._interrupt()
        paused = self._pause is not None and self._pause.generation == event.generation
        tries = self.options.speculates and self.options.answers
        if event.is_complete and paused and tries and not self._speaks():
            self._marks["words"] = clock.now()
            self._prepare(said, event.language)

    def _prepare(self, said: str, language: str) -> None:
        if self._prepared is not None and _same(self._prepared.said, said):
            return
        self._roll_back()
        sample = self._pause.sample if self._pause is not None else self._clock[0]
        self._prepared = self._begin(said, language, sample)

    def _begin(self, said: str, language: str, voiced: int) -> Reply:
        reply = self._replies.begin(said, language, self._at(voiced))
        for stage, at in self._marks.items():
            reply.turn.waterfall.mark(stage, at)
        return reply

    def _stopped(self, event: SpeechStopped) -> None:
        """The turn is over: what was prepared for this pause is given out at once."""
        pause, self._pause = self._pause, None
        self._marks.setdefault("pause", clock.now())
        self._marks["endpoint"] = clock.now()
        if self._prepared is not None and pause is not None and pause.generation == event.generation:
            self._replies.release(self._prepared)
        else:
            self._roll_back()

    def _final(self, event: Final) -> None:
        if self._echoes(event.text):
            self._unspoken("echo")
            return
        prepared, self._prepared = self._prepared, None
        if self._speaks(besides=prepared) and (event.is_backchannel or self.options.barge_in == "never"):
            self._tell(events.Committed(0, event.text, event.language))
            self.go_on()
            return
        if not self.options.answers:
            self._interrupt()
            self._tell(events.Committed(0, event.text, event.language))
            return
        self._marks.setdefault("words", clock.now())
        if prepared is not None and not _same(prepared.said, event.text):
            self._replies.drop(Past.FORGET)
            prepared = None
        if prepared is None:
            self._interrupt()
            prepared = self._begin(event.text, event.language, event.sample)
            self._replies.release(prepared)
        self._tell(events.Committed(prepared.turn.number, event.text, event.language))

    def _interrupt(self) -> None:
        """End the answer; when it had hardly begun, its question goes on in what is said now."""
        self._stop_waiting()
        self._replies.drop(Past.JOIN)

    def _roll_back(self) -> None:
        """Forget what was prepared for a turn that goes on."""
        prepared, self._prepared = self._prepared, None
        if prepared is not None and not prepared.released:
            self._replies.drop()

    def _speaks(self, besides: Reply | None = None) -> bool:
        """Whether an answer is given out, or held, other than that to what was said last."""
        delivery = self._player.delivery
        return delivery is not None and (besides is None or delivery.turn is not besides.turn)

    def _echoes(self, said: str) -> bool:
        """Whether the user is not the one who said it."""
        return self._over and is_echo(said, self._replies.spoken())

    def _stop_waiting(self) -> None:
        if self._holding is not None:
            self._holding.cancel()

    def _at(self, sample: int) -> float:
        """Return when a sample of the input was spoken."""
        count, rate_hz, at = self._clock
        return at - (count - sample) / rate_hz


def _same(one: str, other: str) -> bool:
    return [bare(word) for word in one.split()] == [bare(word) for word in other.split()]
