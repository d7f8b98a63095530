"""Who said what when, as captions of a conversation's film."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from mien.live.events import Committed, Interrupted, Listening, Output, Stopped, Stretch
from mien.media.captions import Caption

USER: Final = "– "  # how subtitles mark another speaker
CUT: Final = " –"


@dataclass(frozen=True, slots=True)
class _Line:
    """One breath on the session's clock."""

    text: str
    start: int
    end: int
    turn: int


@dataclass(slots=True)
class Subtitles:
    """`take` all that a session gives out; `captions` is what was heard of it."""

    rate_hz: int
    input_hz: int
    _lines: list[_Line] = field(default_factory=list)
    _user: list[Caption] = field(default_factory=list)
    _spoke: tuple[float, float] = (0.0, 0.0)  # from when to when the user spoke, s

    def take(self, output: Output) -> None:
        """Hear what the session gives out."""
        match output:
            case Listening(sample):
                self._spoke = (sample / self.input_hz, sample / self.input_hz)
            case Stopped(sample):
                self._spoke = (self._spoke[0], sample / self.input_hz)
            case Committed(_, text) if text:
                self._user.append(Caption(*self._spoke, USER + text))
            case Stretch():
                self._stretch(output)
            case Interrupted(turn, _, heard):
                self._interrupted(turn, heard)
            case _:
                pass

    def captions(self) -> list[Caption]:
        """Return the captions in order, each shown until the next at the latest."""
        own = [Caption(line.start / self.rate_hz, line.end / self.rate_hz, line.text) for line in self._lines]
        both = sorted((*own, *self._user), key=lambda each: each.start_s)
        shown = [replace(one, end_s=min(one.end_s, other.start_s)) for one, other in pairwise(both)]
        return [each for each in (*shown, *both[-1:]) if each.end_s > each.start_s]

    def _stretch(self, stretch: Stretch) -> None:
        """Add a stretch; what was to be said from its start on is not said."""
        self._lines = [
            replace(line, end=min(line.end, stretch.start))
            for line in self._lines
            if line.start < stretch.start
        ]
        end = stretch.start + stretch.length
        if stretch.text:
            self._lines.append(_Line(stretch.text, stretch.start, end, stretch.turn))
        elif stretch.pcm is not None and self._lines and self._lines[-1].turn == stretch.turn:
            self._lines[-1] = replace(self._lines[-1], end=end)

    def _interrupted(self, turn: int, heard: str) -> None:
        """Leave of the answer's lines what was heard."""
        kept: list[_Line] = []
        for line in self._lines:
            text = line.text.strip()
            if line.turn != turn or heard.startswith(text):
                kept.append(line)
                heard = heard if line.turn != turn else heard.removeprefix(text).strip()
            elif heard:
                kept.append(replace(line, text=heard + CUT))
                heard = ""
        self._lines = kept
