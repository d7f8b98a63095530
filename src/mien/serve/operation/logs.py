"""Logs as lines of JSON: which session did what, and how long it took, but not what anybody said."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from mien.serve.operation.watch import Answered, Closed, Happening, Opened, Presented, Refused, Stopped

_log = logging.getLogger(__name__)
_TALK = ("mien.mind", "mien.speech", "mien.live", "mien.persona")  # what they fill in may be what was said
_SHOWN = 14  # characters of a session's id: whoever knows all of it may come back to the session


def shown(session: str) -> str:
    """Return as much of a session's id as finds it again."""
    return session[:_SHOWN]


class Logs:
    """Logs what happens. `words`: what people said, too."""

    def __init__(self, *, words: bool = False) -> None:
        self._words = words

    def see(self, happening: Happening) -> None:
        """Write it down."""
        event, fields = self._fields(happening)
        _log.info(event, extra={"mien": fields})

    def close(self) -> None:
        """Nothing is open."""

    def _fields(self, happening: Happening) -> tuple[str, dict[str, Any]]:
        match happening:
            case Opened(session, persona, owner, resumed):
                about = {"persona": persona, "owner": owner or None}
                return "resumed" if resumed else "opened", {"session": shown(session), **about}
            case Closed(session, ending):
                return "closed", {"session": shown(session), "ending": ending}
            case Refused(code):
                return "refused", {"code": code}
            case Presented(session, response, ms, offset_ms):
                told = {"response": response, "ms": ms, "av_offset_ms": offset_ms}
                return "presented", {"session": shown(session), **told}
            case Stopped(session, seconds, face):
                what = "face" if face else "sound"
                return "stopped", {"session": shown(session), "what": what, "ms": round(1000 * seconds, 1)}
            case Answered():
                return "turn", self._turn(happening)

    def _turn(self, turn: Answered) -> dict[str, Any]:
        fields: dict[str, Any] = {
            "session": shown(turn.session),
            "turn": turn.turn,
            "response": turn.response,
            "persona": turn.persona,
            "outcome": turn.outcome,
            "spoken": turn.voice_s is not None,
            "ms": turn.waterfall.table()["ms"] if turn.waterfall is not None else {},
            "underruns": turn.underruns,
            "clamped": dict(turn.clamped),
        }
        if self._words:
            fields |= {"asked": turn.asked, "heard": turn.heard, "error": turn.error or None}
        return fields


class Lines(logging.Formatter):
    """A record as one line of JSON. Without `words` it says of others' records only where, and which."""

    def __init__(self, *, words: bool = False) -> None:
        super().__init__()
        self._words = words

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        quiet = not self._words and record.name.startswith(_TALK)
        line: dict[str, Any] = {
            "time": at,
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": str(record.msg) if quiet else record.getMessage(),
            **getattr(record, "mien", {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            line["exception"] = self._exception(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False, default=str)

    def _exception(self, error: BaseException) -> str:
        if self._words:
            return "".join(traceback.format_exception(error))
        return f"{type(error).__name__}\n" + "".join(traceback.format_tb(error.__traceback__))


@contextmanager
def written(*, words: bool = False) -> Iterator[None]:
    """Write this process's logs to standard error: mien's from `info` on, others' from `warning` on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines(words=words))
    root, own = logging.getLogger(), logging.getLogger("mien")
    before = own.level
    root.addHandler(handler)
    own.setLevel(logging.INFO)
    try:
        yield
    finally:
        own.setLevel(before)
        root.removeHandler(handler)
