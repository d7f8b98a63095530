"""How a session behaves, and its limits."""

from __future__ import annotations

from dataclasses import dataclass

from mien.errors import InputError, nearest

BARGE_IN = ("hold", "words", "voice", "never")
_RANGES = {
    "lead_s": (0.05, 30.0),
    "hold_s": (0.2, 10.0),
    "longest_answer_s": (1.0, 3600.0),
    "longest_silence_s": (1.0, 86_400.0),
    "first_word_s": (0.1, 600.0),
    "resume_s": (0.0, 3600.0),
    "speed": (0.25, 4.0),
}


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """Lengths are in seconds.

    `barge_in`: what the user's voice does to an answer. `hold`: it stops at once, and goes on when that was
    only "mm-hm" or a cough; `words`: it goes on until words are understood; `voice`: any voice ends it;
    `never`. `speculates`: answers are prepared at a short pause, before the turn is known to be over.
    `answers`: what the user says is answered by itself; else only `Session.text` is.
    `lead_s`: how far ahead of what is heard sound is given out. `hold_s`: a held answer goes on when no
    word came for so long. `longest_answer_s`: an answer ends there. `longest_silence_s`: `Silent` is told
    when nobody spoke for so long. `first_word_s`: how long a mind may take for each piece of its answer.
    `speed`: of the voice, as a factor. `resume_s`: how long a detached session waits for `attach`.
    `history_turns`, `history_chars`: what of the past is kept.
    """

    barge_in: str = "hold"
    speculates: bool = True
    answers: bool = True
    lead_s: float = 0.4
    speed: float = 1.0
    hold_s: float = 2.0
    longest_answer_s: float = 120.0
    longest_silence_s: float = 600.0
    first_word_s: float = 15.0
    resume_s: float = 60.0
    history_turns: int = 40
    history_chars: int = 12_000

    def __post_init__(self) -> None:
        if self.barge_in not in BARGE_IN:
            raise InputError(f"no barge-in {self.barge_in!r}{nearest(self.barge_in, BARGE_IN)}")
        for name, (least, most) in _RANGES.items():
            if not least <= getattr(self, name) <= most:
                raise InputError(f"{name} is {getattr(self, name)}; from {least:g} to {most:g} can be used")
        for name in ("history_turns", "history_chars"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} is {getattr(self, name)}; keep at least 1")
