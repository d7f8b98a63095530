"""Voice to text while it is spoken, and whose turn it is."""

from mien.speech.listening.events import (
    Dismissed,
    Event,
    Final,
    Partial,
    Pause,
    Resumed,
    SpeechStarted,
    SpeechStopped,
    Woken,
    Word,
)
from mien.speech.listening.listener import Listener
from mien.speech.listening.models import Models
from mien.speech.listening.options import Options
from mien.speech.listening.recogniser import Speaking
from mien.speech.listening.turn import TurnOptions

__all__ = [
    "Dismissed",
    "Event",
    "Final",
    "Listener",
    "Models",
    "Options",
    "Partial",
    "Pause",
    "Resumed",
    "Speaking",
    "SpeechStarted",
    "SpeechStopped",
    "TurnOptions",
    "Woken",
    "Word",
]
