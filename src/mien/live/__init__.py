"""A conversation in real time: turn taking, speculation, barge-in, one clock and one generation."""

from mien.live.events import (
    Committed,
    Continued,
    Done,
    Event,
    Failed,
    HandOver,
    Held,
    Interrupted,
    Listening,
    Output,
    Silent,
    Stopped,
    Stretch,
    Understood,
    Unspoken,
)
from mien.live.mind import Asked, Exchange, Mind, Piece, Said
from mien.live.options import SessionOptions
from mien.live.session import Session
from mien.live.waterfall import Waterfall

__all__ = [
    "Asked",
    "Committed",
    "Continued",
    "Done",
    "Event",
    "Exchange",
    "Failed",
    "HandOver",
    "Held",
    "Interrupted",
    "Listening",
    "Mind",
    "Output",
    "Piece",
    "Said",
    "Session",
    "SessionOptions",
    "Silent",
    "Stopped",
    "Stretch",
    "Understood",
    "Unspoken",
    "Waterfall",
]
