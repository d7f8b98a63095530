"""From a `[voice]` table to a voice; models are loaded once a process, whoever speaks with them."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mien import packs
from mien.errors import InputError, MissingError, nearest
from mien.packs import catalogue
from mien.speech.voice import Voice
from mien.speech.voices.spec import VoiceSpec, parse

if TYPE_CHECKING:
    from mien.speech.voices.kokoro_model import KokoroModel
    from mien.speech.voices.piper_model import PiperModel

_PIPER_PACK = "voice-"
_KOKORO_PACK = "kokoro"

_lock = threading.RLock()
_voices: dict[VoiceSpec, Voice] = {}
_models: dict[tuple[str, Path], Any] = {}


def load(spec: VoiceSpec | Mapping[str, Any]) -> Voice:
    """Return the voice of a spec or `[voice]` table, ready to speak; takes seconds the first time.

    Equal specs share a voice, and all voices of one model file its engines. Raises `InputError` for a wrong
    table, `MissingError` for a voice, pack or extra that is not there, `CorruptError` for a broken model.
    """
    wanted = spec if isinstance(spec, VoiceSpec) else parse(spec)
    with _lock:
        if wanted not in _voices:
            _voices[wanted] = _KINDS[wanted.kind](wanted)
        return _voices[wanted]


def names(kind: str) -> list[str]:
    """Return the names of the voices of a kind that packs bring (for Kokoro: of the installed pack)."""
    if kind == "piper":
        return [name.removeprefix(_PIPER_PACK) for name in catalogue.names() if name.startswith(_PIPER_PACK)]
    if kind == "kokoro":
        return sorted(file.stem for file in (packs.path(_KOKORO_PACK) / "voices").glob("*.bin"))
    return []


def _piper(spec: VoiceSpec) -> Voice:
    from mien.speech.voices.piper import PiperVoice

    path = _given(spec.option("path")) or piper_file(str(spec.option("name")))
    name = str(spec.option("name") or path.stem)
    return PiperVoice(_piper_model(path), spec.option("speaker"), name=name)


def piper_file(name: str) -> Path:
    """Return the model of a voice that a pack brings; raises `MissingError`."""
    if name not in names("piper"):
        raise MissingError(f"no Piper voice {name!r}{nearest(name, names('piper'))}; or give 'path'")
    folder = packs.path(_PIPER_PACK + name)
    return next(iter(sorted(folder.glob("*.onnx"))))


def _kokoro(spec: VoiceSpec) -> Voice:
    from mien.speech.voices import kokoro_styles
    from mien.speech.voices.kokoro import KokoroVoice

    path = _given(spec.option("path"))
    if path:
        style, name = kokoro_styles.read(path), path.stem
    else:
        name = str(spec.option("name"))
        style = kokoro_styles.blend(name, packs.path(_KOKORO_PACK) / "voices")
    return KokoroVoice(_kokoro_model(_given(spec.option("model"))), style, name=name)


def _openai(spec: VoiceSpec) -> Voice:
    from mien.speech.voices import references
    from mien.speech.voices.openai import OpenAIVoice, Server

    server = Server.read(dict(spec.options))
    try:
        reference = references.find(server.language)
    except MissingError:
        reference = None  # the sound alone then moves the lips
    return OpenAIVoice(server, reference)


_KINDS: Mapping[str, Callable[[VoiceSpec], Voice]] = {"piper": _piper, "kokoro": _kokoro, "openai": _openai}


def _piper_model(path: Path) -> PiperModel:
    from mien.speech.voices.piper_model import PiperModel

    model: PiperModel = _shared("piper", path, PiperModel.load)
    return model


def kokoro_file() -> Path:
    """Return the model of the Kokoro pack; raises `MissingError`."""
    return packs.path(_KOKORO_PACK) / "kokoro-v1.0.int8.onnx"


def _kokoro_model(path: Path | None) -> KokoroModel:
    from mien.speech.voices.kokoro_model import KokoroModel

    model: KokoroModel = _shared("kokoro", path or kokoro_file(), KokoroModel.load)
    return model


def _shared(kind: str, path: Path, make: Callable[[Path], Any]) -> Any:
    key = (kind, path.resolve())
    if key not in _models:
        _models[key] = make(path)
    return _models[key]


def _given(path: Any) -> Path | None:
    if not path:
        return None
    if "\0" in str(path):
        raise InputError(f"voice: path {str(path)!r} holds a NUL character, which no file's name does")
    return Path(os.path.expanduser(str(path)))  # noqa: PTH111 (leaves a user who is not known as it is)
