"""Where the time went between the user's last sound and the answer's first."""

from __future__ import annotations

from dataclasses import dataclass, field

STAGES = ("pause", "words", "understanding", "breath", "endpoint", "sound", "sent")
"""Moments of a turn: silence was noticed; the words were known; the mind's first piece came; the first breath
was whole; the turn was known to be over; the first sound had its face; it was taken. With speculation the
endpoint may come last but one.
"""
_WIDTH = 40


@dataclass(slots=True)
class Waterfall:
    """`at`: when each of `STAGES` was reached, in seconds after the last voiced sample (for typed words:
    after they came).
    """

    turn: int
    began_s: float
    at: dict[str, float] = field(default_factory=dict)

    def mark(self, stage: str, now_s: float) -> None:
        """Note the first time that a stage is reached."""
        self.at.setdefault(stage, now_s - self.began_s)

    @property
    def answered_s(self) -> float | None:
        """From the last voiced sample to the first sound with its face given out."""
        return self.at.get("sent")

    def table(self) -> dict[str, object]:
        """Return what JSON holds: milliseconds by stage, in the order in which they were reached."""
        rows = sorted(self.at.items(), key=lambda row: row[1])
        return {"turn": self.turn, "ms": {stage: round(1000 * seconds, 1) for stage, seconds in rows}}

    def picture(self) -> str:
        """Return a line for each stage: a bar from the stage before, and the milliseconds."""
        rows = sorted(self.at.items(), key=lambda row: row[1])
        longest = max((seconds for _, seconds in rows), default=0.0) or 1.0
        lines, before = [], 0.0
        for stage, seconds in rows:
            first = round(_WIDTH * max(before, 0.0) / longest)
            last = max(first + 1, round(_WIDTH * max(seconds, 0.0) / longest))
            lines.append(f"{stage:<14}{' ' * first}{'█' * (last - first)} {1000 * seconds:.0f} ms")
            before = seconds
        return "\n".join(lines)
