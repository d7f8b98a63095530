"""The built-in voice that a recording in some language is compared with."""

from __future__ import annotations

from mien.errors import MissingError
from mien.speech.voice import Voice
from mien.speech.voices.utterance import base

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
    """Return a built-in voice of `language` whose pack is installed; None when there is none."""
    from mien.speech.voices.registry import load

    for table in _TABLES.get(base(language), ()):
        try:
            return load(table)
        except MissingError:
            continue
    return None
