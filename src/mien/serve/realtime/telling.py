"""What a live session gives out → events of the protocol, on the session's clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from mien.live import (
    Committed,
    Continued,
    Done,
    Failed,
    HandOver,
    Held,
    Interrupted,
    Listening,
    Output,
    Stopped,
    Stretch,
    Understood,
    Unspoken,
    Waterfall,
)
from mien.serve.realtime import frames
from mien.serve.realtime.answers import Answer, Answers
from mien.serve.realtime.filming import Filming
from mien.serve.realtime.hearing import Hearing
from mien.serve.realtime.items import Tell
from mien.serve.realtime.settings import Settings
from mien.serve.realtime.sound import CLOCK_HZ, RATES_HZ, Outgoing


class Said(Protocol):
    """Hears the words of a turn; none when it was no speech."""

    def __call__(self, text: str, *, answered: bool = False) -> None:
        """Take them; whether they are being `answered`."""


class Telling:
    """The outputs of one live session, whose clock begins at `base` on the protocol's.

    `said` hears what the user said, and whether an answer comes by itself; `measured` takes each answer's
    waterfall.
    """

    def __init__(
        self,
        tell: Tell,
        answers: Answers,
        hearing: Hearing,
        rate_hz: int,
        base: int,
        said: Said,
        measured: Callable[[Waterfall], None],
    ) -> None:
        self._tell, self._answers, self._hearing = tell, answers, hearing
        self._said, self._measured = said, measured
        self._rate_hz, self.base = rate_hz, base
        self.settings = answers.settings
        self.typed: dict[int, Answer] = {}  # turns that the client asked for
        self.cancelled = False  # the client, not the user's voice, ended the answer
        self._outgoing = Outgoing(rate_hz, self.settings.audio.output.format.type)
        self._last = 0
        self._held = False
        self.film: Filming | None = None

    def configure(self, settings: Settings) -> None:
        """Take other settings."""
        kind = settings.audio.output.format.type
        if kind != self._outgoing.kind:
            self._outgoing = Outgoing(self._rate_hz, kind)
        self.settings = settings

    def at(self, sample: int) -> int:
        """Return the protocol's sample of the live session's."""
        return self.base + self._outgoing.at(sample)

    def sample(self, at: int) -> int:
        """Return the live session's sample of the protocol's."""
        return max(0, at - self.base) * self._rate_hz // CLOCK_HZ

    def take(self, output: Output) -> None:
        """Tell what a session gave out."""
        match output:
            case Stretch():
                self._stretch(output)
            case Listening(sample):
                self._hearing.started(sample)
            case Understood(text, stable):
                self._hearing.understood(text, stable)
            case Stopped(sample):
                self._hearing.stopped(sample)
            case Committed():
                self._committed(output)
            case Unspoken(reason):
                if reason == "cleared":
                    self._hearing.cleared()
                else:
                    self._hearing.committed("")
                    self._said("")
            case Held(turn, at):
                self._begun(turn)
                self._held = True
                self._cut(at, "held")
            case Continued():
                self._held = False
                self._extra("mien.continued", response_id=self._id)
            case Interrupted():
                self._interrupted(output)
            case HandOver(turn, reason):
                self._begun(turn)
                self._answers.hand_over(reason)
            case Done(turn, text, waterfall, calls):
                self._begun(turn)
                for call in calls:
                    self._answers.call(call)
                self._end("completed", heard=text)
                self._latency(waterfall)
            case Failed(turn, message):
                self._failed(turn, message)
            case _:
                pass

    @property
    def _id(self) -> str | None:
        current = self._answers.current
        return current.id if current is not None else None

    def _begun(self, turn: int, asked: str = "") -> None:
        """Begin the answer of a turn, once."""
        current = self._answers.current
        if turn <= self._last or not turn:
            return
        self._last = turn
        if current is not None:
            self._end("cancelled", "turn_detected")
        answer = self.typed.pop(turn, None) or Answer(turn, spoken=True)
        answer.turn, answer.asked = turn, answer.asked or asked
        self._answers.begin(answer)

    def _committed(self, output: Committed) -> None:
        if output.turn in self.typed:
            self._begun(output.turn)
            return
        self._hearing.committed(output.text)
        if output.turn:
            self._begun(output.turn, output.text)
            if self._answers.current is not None:
                self._answers.current.asked = output.text
        self._said(output.text, answered=output.turn > 0)

    def _stretch(self, stretch: Stretch) -> None:
        current = self._answers.current
        if stretch.turn:
            self._begun(stretch.turn)
        else:
            self._send(self._outgoing.finish())
            if current is not None and current.failure:
                self._end("failed", error=current.failure)
        self._face(stretch)
        if stretch.pcm is None:
            return
        self._answers.words(stretch.text, self.at(stretch.start))
        self._send(self._outgoing.push(stretch.start, stretch.pcm.samples))

    def _send(self, pieces: list[tuple[int, bytes]]) -> None:
        kind = self._outgoing.kind
        for start, data in pieces:
            samples = len(data) // (2 if kind == "audio/pcm" else 1) * CLOCK_HZ // RATES_HZ[kind]
            self._answers.sound(data, self.base + start, samples)

    def _face(self, stretch: Stretch) -> None:
        face = stretch.face
        start = self.base + round(face.start_s * frames.RATE_HZ) * frames.SAMPLES
        if self.film is not None:
            self.film.add(start, face)
        if self.settings.mien.face and len(face):
            self._tell(
                "mien.face.delta",
                response_id=self._id if stretch.turn else None,
                start=start,
                count=len(face),
                rate=frames.RATE_HZ,
                frames=frames.pack(face),
            )

    def _interrupted(self, output: Interrupted) -> None:
        self._begun(output.turn)
        if not self._held:
            self._cut(output.at, "interrupted")
        self._held = False
        why = "client_cancelled" if self.cancelled else "turn_detected"
        self.cancelled = False
        self._end("cancelled", why, heard=output.heard)
        self._latency(output.waterfall)

    def _failed(self, turn: int, message: str) -> None:
        self._begun(turn)
        current = self._answers.current
        if current is None:
            return
        current.failure = message
        if not current.has_message:
            self._end("failed", error=message)

    def _cut(self, at: int, reason: str) -> None:
        self._outgoing.drop()
        if self.film is not None:
            self.film.cut(self.at(at))
        self._extra("mien.cut", start=self.at(at), response_id=self._id, reason=reason)

    def _end(self, status: str, reason: str = "", error: str = "", heard: str | None = None) -> None:
        self._send(self._outgoing.finish())
        self._answers.end(status, reason, error, heard)

    def _latency(self, waterfall: Waterfall) -> None:
        self._measured(waterfall)
        last = self._answers.last
        if last is not None:
            self._extra("mien.latency", response_id=last.id, stages=waterfall.table()["ms"])

    def _extra(self, kind: str, **fields: Any) -> None:
        """Tell what only clients of mien's own expect."""
        if self.settings.mien.face or self.settings.mien.video:
            self._tell(kind, **fields)
