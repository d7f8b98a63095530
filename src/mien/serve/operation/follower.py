"""Follows one session by what it gives out, and tells how each of its turns went."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from mien.live import (
    Committed,
    Continued,
    Done,
    Failed,
    Held,
    Interrupted,
    Listening,
    Output,
    Session,
    Stretch,
    Unspoken,
    Waterfall,
    clock,
)
from mien.serve.operation.watch import Answered, Presented, Stopped, Watch

_MOST = 32  # turns whose answers are still to come; reports of clients that are kept


@dataclass(slots=True)
class _Asked:
    """A turn that is being answered."""

    text: str
    voice_s: float | None


class Follower:
    """`took` is called with each output after it was told to the client."""

    def __init__(self, watch: Watch, session: str) -> None:
        self._watch, self._session = watch, session
        self._voice_s: float | None = None  # when the user began to say what is being said
        self._reported = ""
        self._held = False
        self._cut_for_s: float | None = None  # the same, while the speaking face is still to be replaced
        self._asked: dict[int, _Asked] = {}
        self._presented: dict[str, Presented] = {}
        self._live: Session | None = None
        self._underruns, self._clamped = 0, Counter[str]()

    def presented(self, response: str, ms: float, av_offset_ms: float | None) -> None:
        """Take what a client reports of an answer, the first time."""
        if response == self._reported:
            return
        self._reported = response
        told = Presented(self._session, response, ms, av_offset_ms, clock.now())
        self._presented[response] = told
        if len(self._presented) > _MOST:
            del self._presented[next(iter(self._presented))]
        self._watch.tell(told)

    def took(self, output: Output, live: Session, persona: str, response: str) -> None:
        """Take an output of `live`; `response`: the protocol's id of the answer given now or last."""
        match output:
            case Stretch(turn=0):
                self._replaced()
            case Listening():
                self._voice_s = output.spoken_s
            case Committed(turn, text):
                self._ask(turn, text)
            case Unspoken():
                self._voice_s = None
            case Held():
                self._held = True
                self._stopped()
            case Continued():
                self._held = False
            case Done(turn, text, waterfall):
                self._answered(turn, live, persona, response, "completed", waterfall, text)
            case Interrupted(turn, _, text, _, waterfall):
                if not self._held:
                    self._stopped()
                self._held = False
                self._answered(turn, live, persona, response, "interrupted", waterfall, text)
            case Failed(turn, message):
                self._answered(turn, live, persona, response, "failed", error=message)
            case _:
                pass

    def _ask(self, turn: int, text: str) -> None:
        voice_s, self._voice_s = self._voice_s, None
        if turn:
            self._asked[turn] = _Asked(text, voice_s)
            if len(self._asked) > _MOST:
                del self._asked[next(iter(self._asked))]

    def _stopped(self) -> None:
        """The sound was cut."""
        if self._voice_s is not None:
            self._cut_for_s = self._voice_s
            self._watch.tell(Stopped(self._session, clock.now() - self._voice_s, face=False))

    def _replaced(self) -> None:
        """The listening face is on its way."""
        since_s, self._cut_for_s = self._cut_for_s, None
        if since_s is not None:
            self._watch.tell(Stopped(self._session, clock.now() - since_s, face=True))

    def _answered(
        self,
        turn: int,
        live: Session,
        persona: str,
        response: str,
        outcome: str,
        waterfall: Waterfall | None = None,
        heard: str = "",
        error: str = "",
    ) -> None:
        asked = self._asked.pop(turn, _Asked("", None))
        underruns, clamped = self._news(live)
        self._watch.tell(
            Answered(
                self._session, turn, response, persona, outcome, clock.now(), waterfall, asked.voice_s,
                self._presented.pop(response, None), underruns, clamped, error, asked.text, heard,
            )
        )  # fmt: skip

    def _news(self, live: Session) -> tuple[int, Counter[str]]:
        """Return the underruns and the clamped values since the last turn."""
        if live is not self._live:
            self._live, self._underruns, self._clamped = live, 0, Counter()
        before, self._underruns = self._underruns, live.underruns
        clamped, self._clamped = self._clamped, Counter(live.clamped)
        return self._underruns - before, self._clamped - clamped
