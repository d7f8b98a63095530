"""Text to voice."""

from mien.speech.breath import Breath, Piece, Prosody
from mien.speech.voice import Mark, SpeechChunk, Voice

__all__ = ["Breath", "Mark", "Piece", "Prosody", "SpeechChunk", "Voice"]
