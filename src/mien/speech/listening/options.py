"""How one stream is listened to."""

from __future__ import annotations

from dataclasses import dataclass

from mien.errors import InputError
from mien.speech.listening.activity import Thresholds
from mien.speech.listening.turn import TurnOptions

_MOST_S = {"pre_roll_s": 5.0, "early_s": 60.0, "step_s": 20.0, "shortest_s": 5.0, "longest_s": 3600.0}


@dataclass(frozen=True, slots=True)
class Options:
    """How one stream is listened to. Lengths are in seconds.

    `early_s`: silence after which the words are heard in case it becomes a pause, if no other stream waits
    for the recogniser; `step_s`: how much new speech makes a new pass for partial words worth while;
    `shortest_s`: less speech than that is noise; `longest_s`: a turn is ended then; `wake_words`: nothing is
    told until one was said, and again when nobody spoke for `awake_s`.
    """

    thresholds: Thresholds = Thresholds()
    turn: TurnOptions = TurnOptions()
    pre_roll_s: float = 0.3
    early_s: float = 0.032
    step_s: float = 0.4
    shortest_s: float = 0.19
    longest_s: float = 300.0
    wake_words: tuple[str, ...] = ()
    awake_s: float = 30.0

    def __post_init__(self) -> None:
        for name, most in _MOST_S.items():
            if not 0.0 <= getattr(self, name) <= most:
                raise InputError(f"{name} is {getattr(self, name)}; from 0 to {most} s can be used")
