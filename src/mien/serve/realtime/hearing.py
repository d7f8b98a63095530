"""The user's turns as the protocol tells them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

from mien.serve.realtime.items import Items, Tell, new_id
from mien.serve.realtime.sound import CLOCK_HZ

NEVER = -1


@dataclass(slots=True)
class _Open:
    """A turn whose words are not known yet."""

    item: str
    start: int
    end: int | None = None
    told: int = 0


class Hearing:
    """`detects`: turns are found by voice activity, and told. `tells`: words are told; `shows`: also those
    that may still change. `ended`: the sample at which the last turn was over.
    """

    def __init__(self, tell: Tell, items: Items) -> None:
        self._tell, self._items = tell, items
        self._open: deque[_Open] = deque()
        self.ended = NEVER
        self.detects = self.tells = True
        self.shows = False

    @property
    def waits(self) -> bool:
        """Whether words of a turn that is over are still to come."""
        return any(each.end is not None for each in self._open)

    def started(self, sample: int) -> None:
        """Somebody speaks."""
        self._open.append(_Open(new_id("item"), sample))
        if self.detects:
            name = self._open[-1].item
            self._tell("input_audio_buffer.speech_started", audio_start_ms=_ms(sample), item_id=name)

    def understood(self, text: str, stable: int) -> None:
        """Words so far."""
        if not self._open or not self.tells:
            return
        turn = self._open[-1]
        delta = text[turn.told : stable]
        if delta or self.shows:
            turn.told = max(turn.told, stable)
            self._transcription("delta", turn.item, delta=delta, mien={"text": text, "stable": stable})

    def stopped(self, sample: int) -> None:
        """The turn is over."""
        if not self._open or self._open[-1].end is not None:
            self.started(sample)
        turn = self._open[-1]
        turn.end = self.ended = sample
        if self.detects:
            self._tell("input_audio_buffer.speech_stopped", audio_end_ms=_ms(sample), item_id=turn.item)
        self._commit(turn.item)

    def empty(self) -> None:
        """The client ended a turn in which nobody spoke."""
        name = new_id("item")
        self._commit(name)
        self._complete(name, "", 0.0)

    def committed(self, text: str) -> None:
        """The words of the oldest turn are known; none if it was no speech."""
        if not self._open:
            return
        turn = self._open.popleft()
        self._complete(turn.item, text, ((turn.end or turn.start) - turn.start) / CLOCK_HZ)

    def cleared(self) -> None:
        """What was being said is taken back."""
        if self._open and self._open[-1].end is None:
            self._open.pop()

    def reset(self) -> None:
        """Other ears listen: no words come any more of what those before had heard."""
        while self._open:
            if self._open[0].end is None:
                self._open.popleft()
            else:
                self.committed("")
        self.ended = NEVER

    def _commit(self, name: str) -> None:
        self._tell("input_audio_buffer.committed", item_id=name, previous_item_id=self._items.last)
        content: list[dict[str, Any]] = [{"type": "input_audio", "transcript": None}]
        self._items.add(message(name, "user", content, "in_progress"))

    def _complete(self, name: str, text: str, seconds: float) -> None:
        if self.tells:
            usage = {"type": "duration", "seconds": round(seconds, 3)}
            self._transcription("completed", name, transcript=text, usage=usage)
        if name in self._items:
            item = self._items.get(name)
            item["status"] = "completed"
            item["content"][0]["transcript"] = text if self.tells else None
        self._items.done(name)

    def _transcription(self, kind: str, name: str, **fields: Any) -> None:
        kind = f"conversation.item.input_audio_transcription.{kind}"
        self._tell(kind, item_id=name, content_index=0, **fields)


def message(name: str, role: str, content: list[dict[str, Any]], status: str) -> dict[str, Any]:
    """Return a message's item."""
    item = {"id": name, "object": "realtime.item", "type": "message", "status": status}
    return {**item, "role": role, "content": content}


def _ms(sample: int) -> int:
    return sample * 1000 // CLOCK_HZ
