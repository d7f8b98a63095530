"""What all listeners of a process share."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from mien.engine.priority import PriorityThread
from mien.speech.listening.activity import SileroVad
from mien.speech.listening.recogniser import Recogniser, Speaking
from mien.speech.listening.turn import SmartTurn
from mien.speech.listening.utterance import SEGMENT


@dataclass(eq=False)
class Models:
    """The models and the threads that run them."""

    vad: SileroVad
    turn: SmartTurn
    recogniser: Recogniser
    ears: PriorityThread = field(default_factory=lambda: PriorityThread("mien-ears"))
    turns: PriorityThread = field(default_factory=lambda: PriorityThread("mien-turns"))
    words: PriorityThread = field(default_factory=lambda: PriorityThread("mien-words"))

    @classmethod
    def load(cls, speaking: Speaking | None = None) -> Models:
        """Load the packs; raises `MissingError` that says which to pull, or `CorruptError`."""
        return cls(SileroVad.load(), SmartTurn.load(), Recogniser.load(speaking or Speaking()))

    def warm(self) -> None:
        """Take at once the memory that the longest sound needs: what comes later fits in."""
        self.recogniser.hear(np.zeros(SEGMENT, np.float32))

    def close(self) -> None:
        """End the threads."""
        for worker in (self.ears, self.turns, self.words):
            worker.close()
