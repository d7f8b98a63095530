"""Text → the symbols that a voice's model reads → phones on the utterance clock."""

from mien.speech.phonemes.symbols import BASE_SYMBOLS, PHONE_SYMBOLS
from mien.speech.phonemes.timing import phones
from mien.speech.phonemes.transcription import Transcription

__all__ = ["BASE_SYMBOLS", "PHONE_SYMBOLS", "Transcription", "phones"]
