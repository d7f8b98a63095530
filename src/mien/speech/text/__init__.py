"""Any text or SSML → a stream of breaths."""

from mien.speech.text.lexicon import Lexicon
from mien.speech.text.stream import MAX_CHARS, TextStream, breaths

__all__ = ["MAX_CHARS", "Lexicon", "TextStream", "breaths"]
