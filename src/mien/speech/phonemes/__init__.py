"""Text → the symbols that a voice's model reads → phones on the utterance clock."""

from mien.speech.phonemes.symbols import BASE_SYMBOLS, PHONE_SYMBOLS
from mien.speech.phonemes.timing import KOKORO_LEAD_S, phones
from mien.speech.phonemes.transcription import Transcription

__all__ = ["BASE_SYMBOLS", "KOKORO_LEAD_S", "PHONE_SYMBOLS", "Transcription", "phones"]
