"""The parts of the voices' models that can be loaded by name: `joe/vocoder`, `joe/text`, `kokoro/speech`."""

from __future__ import annotations

from pathlib import Path

from mien.errors import MissingError, nearest
from mien.speech.voices import registry

_PIPER = {"text": "front", "vocoder": "decoder"}
_KOKORO = "kokoro/speech"


def names() -> list[str]:
    """Return the names of all parts, of voices that are not installed too."""
    return [*(f"{voice}/{part}" for voice in registry.names("piper") for part in _PIPER), _KOKORO]


def find(name: str) -> Path:
    """Return the engine of a part, made the first time; raises `MissingError` without its pack."""
    if name not in names():
        raise MissingError(f"no part {name!r}{nearest(name, names())}")
    if name == _KOKORO:
        from mien.speech.voices import kokoro_model

        return kokoro_model.prepared(registry.kokoro_file()) / "kokoro.onnx"
    from mien.speech.voices import piper_model

    voice, _, part = name.partition("/")
    folder = piper_model.prepared(registry.piper_file(voice))
    file = folder / f"{_PIPER[part]}.onnx"
    if not file.is_file():
        raise MissingError(f"the model of voice {voice!r} is not cut into parts: it has no {part}")
    return file
