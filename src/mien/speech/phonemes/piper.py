"""The transcription that Piper's voices read: espeak-ng's IPA."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from mien.errors import InputError
from mien.speech.breath import Piece
from mien.speech.languages import base
from mien.speech.phonemes import espeak
from mien.speech.phonemes.punctuation import final_mark, leading_mark
from mien.speech.phonemes.transcription import Transcription, join


def transcribe(pieces: Sequence[Piece], language: str) -> Transcription:
    """Return the pieces of a breath in IPA code points, as a voice of espeak-ng's `language` reads them.

    A piece in another region of the voice's language (`"en-gb"` for an `"en-us"` voice) is read in the
    voice's. `Piece.phonemes` (IPA) wins. Raises `InputError` for a piece in another language, for pinyin,
    and `MissingError` without the extra `voice`.
    """
    return join(_piece(piece, language) for piece in pieces)


def _piece(piece: Piece, language: str) -> str:
    if piece.phonemes is not None:
        return _given(piece.phonemes) + final_mark(piece.text)
    own = base(language)
    if base(piece.language) != own:
        raise InputError(
            f"this voice speaks {own!r}, not {piece.language!r}: {piece.text[:40]!r}; choose another"
        )
    return leading_mark(piece.text) + " " + espeak.phonemize(piece.text, language)


def _given(phonemes: str) -> str:
    if phonemes.startswith("pinyin:"):
        raise InputError(f"this voice reads IPA, not {phonemes!r}; use a Kokoro voice or write IPA")
    plain = phonemes.replace(espeak.TIE, "").replace("'", "ˈ").replace("g", "ɡ")
    return unicodedata.normalize("NFD", plain)
