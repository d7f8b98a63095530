"""The built-in voice that a recording in some language is compared with."""

from __future__ import annotations

from mien.errors import MissingError
from mien.speech.languages import base
from mien.speech.voice import Voice

# Piper where there is one: its phone times are the model's own, to 10 ms.
_TABLES = {
    "en": ({"kind": "piper", "name": "joe"}, {"kind": "kokoro", "name": "am_michael"}),
    "zh": ({"kind": "kokoro", "name": "zf_xiaoxiao"},),
    "es": ({"kind": "kokoro", "name": "em_alex"},),
    "fr": ({"kind": "kokoro", "name": "ff_siwis"},),
    "hi": ({"kind": "kokoro", "name": "hm_omega"},),
    "it": ({"kind": "kokoro", "name": "im_nicola"},),
    "pt": ({"kind": "kokoro", "name": "pm_alex"},),
}
LANGUAGES = frozenset(_TABLES)


def find(language: str) -> Voice | None:
    """Return a built-in voice of `language`; None when no voice speaks it.

    Raises `MissingError` when a voice would, but its pack or library is not installed.
    """
    from mien.speech.voices.registry import load

    missing: MissingError | None = None
    for table in _TABLES.get(base(language), ()):
        try:
            return load(table)
        except MissingError as error:
            missing = missing or error
    if missing is not None:
        raise missing
    return None
