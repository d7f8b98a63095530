"""Voices: text becomes sound with the times of its phonemes."""

from mien.speech.voices.registry import load, names
from mien.speech.voices.spec import VoiceSpec

__all__ = ["VoiceSpec", "load", "names"]
