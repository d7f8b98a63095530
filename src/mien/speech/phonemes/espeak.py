"""espeak-ng: text → IPA, as Piper's voices were trained on it.

The library (GPL-3) is loaded at first use from the `espeakng_loader` wheel; nothing of it is linked.
"""

from __future__ import annotations

import ctypes
import re
import threading
import unicodedata
from functools import cache

from mien.errors import InputError, MissingError, ResourceError, nearest, require
from mien.speech.phonemes.punctuation import clauses

TIE = "\u0361"  # joins the letters of one phoneme: t͡ʃ

# speak_lib.h: AUDIO_OUTPUT_SYNCHRONOUS, espeakCHARS_UTF8, phoneme mode bits
_SYNCHRONOUS = 2
_UTF8 = 1
_IPA = 1 << 1
_WITH_TIE = (1 << 7) | (ord(TIE) << 8)

_SWITCH = re.compile(r"\([^)]*\)")  # "(en)", where espeak reads a word in another language
_LOCK = threading.Lock()  # espeak-ng keeps its state in globals
_ALIASES = {"en": "en-us", "fr": "fr-fr", "zh": "cmn"}


class _VoiceEntry(ctypes.Structure):
    """`espeak_VOICE` of speak_lib.h; `languages` is a priority byte and a name."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("languages", ctypes.c_char_p),
        ("identifier", ctypes.c_char_p),
        ("kind", ctypes.c_ubyte * 4),
        ("score", ctypes.c_int),
        ("spare", ctypes.c_void_p),
    )


def phonemize(text: str, language: str, *, tie: bool = False) -> str:
    """Return `text` in IPA: words parted by spaces, `ˈˌː` marks, and the punctuation `. , ? ! : ;`.

    `language`: an espeak-ng language (`"en-us"`, `"de"`); `"en"` is American. `tie` joins the letters
    of one phoneme by U+0361. Thread-safe. The form is piper-phonemize's, decomposed (NFD).
    Raises `MissingError` without the extra `voice`, `InputError` for a language espeak-ng has not.
    """
    parts = []
    with _LOCK:
        library = _library()
        _select(library, language)
        for words, mark in clauses(text):
            spoken = _clause(library, words, _IPA | (_WITH_TIE if tie else 0))
            parts.append(spoken + mark if spoken else "")
    return unicodedata.normalize("NFD", " ".join(part for part in parts if part))


def languages() -> frozenset[str]:
    """Return the languages that espeak-ng speaks."""
    with _LOCK:
        return frozenset(_voices()) | frozenset(_ALIASES)


@cache
def _voices() -> dict[str, bytes]:
    """Return each language's voice file, relative to espeak-ng's data."""
    listed = _library().espeak_ListVoices(None)
    files: dict[str, bytes] = {}
    index = 0
    while listed[index]:
        entry = listed[index].contents
        files.setdefault(entry.languages[1:].decode().lower(), entry.identifier)
        index += 1
    return files


@cache
def _library() -> ctypes.CDLL:
    loader = require("espeakng_loader", extra="voice")
    try:
        library = ctypes.CDLL(loader.get_library_path())
    except OSError as error:
        raise MissingError(
            f"espeak-ng can not be loaded ({error}); run: pip install --force-reinstall espeakng-loader"
        ) from None
    library.espeak_TextToPhonemes.restype = ctypes.c_char_p
    library.espeak_TextToPhonemes.argtypes = [ctypes.POINTER(ctypes.c_void_p), ctypes.c_int, ctypes.c_int]
    library.espeak_ListVoices.restype = ctypes.POINTER(ctypes.POINTER(_VoiceEntry))
    data = loader.get_data_path().encode()
    if library.espeak_Initialize(_SYNCHRONOUS, 0, data, 0) < 0:
        raise ResourceError(f"espeak-ng can not read its data in {data.decode()}")
    return library


def _select(library: ctypes.CDLL, language: str) -> None:
    name = language.lower()
    file = _voices().get(_ALIASES.get(name, name))
    if file is None:
        raise InputError(f"espeak-ng has no language {language!r}{nearest(name, _voices())}")
    if library.espeak_SetVoiceByName(file) != 0:
        raise ResourceError(f"espeak-ng can not load its language {language!r}: its data is incomplete")


def _clause(library: ctypes.CDLL, words: str, mode: int) -> str:
    """Return the IPA of `words`; espeak-ng reads one clause a call and moves the pointer on."""
    buffer = ctypes.create_string_buffer(words.encode())
    pointer = ctypes.c_void_p(ctypes.addressof(buffer))
    spoken = []
    while pointer.value:
        spoken.append(library.espeak_TextToPhonemes(ctypes.byref(pointer), _UTF8, mode).decode())
    return " ".join(_SWITCH.sub("", " ".join(spoken)).split())
