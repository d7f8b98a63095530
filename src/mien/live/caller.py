"""One who says recordings to a persona, one after the other, and may interrupt it with the last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from mien.audio.pcm import Pcm, Samples
from mien.audio.resample import resample
from mien.live.events import Committed, Done, Failed, Listening, Output, Stretch, Unspoken

STEP_S: Final = 0.02
BETWEEN_S: Final = 0.6  # from the end of an answer to the next question
UNHEARD_S: Final = 3.0  # after a recording in which nobody spoke


@dataclass(slots=True)
class Caller:
    """`recordings` as sound at the first one's rate, `STEP_S` at a time, silent while the persona answers.

    Each is said when the answer to the one before was heard; with `interrupt_s`, the last so many seconds
    after that answer began.
    """

    recordings: Sequence[Pcm]
    interrupt_s: float | None = None
    _parts: list[Samples] = field(default_factory=list)
    _pushed: int = 0
    _next: int = 0  # the recording that is said next
    _left: Samples = field(default_factory=lambda: np.zeros(0, np.float32))  # of the one that is said now
    _since: int = 0  # samples pushed when it was over, or when the answer to it was
    _heard: bool = False  # somebody spoke in it, and is still to be answered to the end
    _answered: bool = False
    _began_s: float | None = None  # when the answer began

    @property
    def rate_hz(self) -> int:
        """Sample rate of what is pushed, Hz."""
        return self.recordings[0].rate_hz

    @property
    def said(self) -> Pcm:
        """Return all that was said so far, with the silence between."""
        return Pcm(np.concatenate([np.zeros(0, np.float32), *self._parts]), self.rate_hz)

    @property
    def share(self) -> float:
        """Return how much of the recordings was said, 0 to 1."""
        whole = sum(recording.duration_s for recording in self.recordings)
        begun = sum(recording.duration_s for recording in self.recordings[: self._next])
        return (begun - len(self._left) / self.rate_hz) / whole if whole else 1.0

    def take(self, output: Output) -> None:
        """Hear what the session gives out."""
        match output:
            case Listening():
                self._heard = True
            case Stretch(pcm=Pcm() as pcm, start=start) if self._began_s is None:
                self._began_s = start / pcm.rate_hz
            case Done() | Failed() | Unspoken() | Committed(turn=0):
                self._heard, self._since = False, self._pushed
                self._answered = isinstance(output, Done)
            case _:
                pass

    def next(self) -> Pcm | None:
        """Return the next sound, None when all was said."""
        if not len(self._left) and self._next == len(self.recordings):
            return None
        if not len(self._left) and self._ready():
            self._left = resample(self.recordings[self._next], self.rate_hz).samples
            self._next, self._since = self._next + 1, self._pushed + len(self._left)
            self._heard, self._answered, self._began_s = False, False, None
        step = round(STEP_S * self.rate_hz)
        piece = self._left[:step] if len(self._left) else np.zeros(step, np.float32)
        self._left = self._left[step:]
        self._parts.append(piece)
        self._pushed += len(piece)
        return Pcm(piece, self.rate_hz)

    def _ready(self) -> bool:
        """Return whether the next recording can be said."""
        if self._next == 0:
            return True
        last = self._next == len(self.recordings) - 1
        if last and self.interrupt_s is not None and self._began_s is not None:
            return self._pushed / self.rate_hz >= self._began_s + self.interrupt_s
        pause_s = BETWEEN_S if self._answered else UNHEARD_S
        return not self._heard and self._pushed - self._since >= pause_s * self.rate_hz
