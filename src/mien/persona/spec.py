"""A persona's file: strict TOML, read once."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from mien.contents import contents, parse_toml
from mien.errors import InputError, MissingError, nearest
from mien.face.feeling import Emotion
from mien.speech.text import Lexicon
from mien.speech.voices.spec import SLOW

IN_FOLDER = "persona.toml"  # what makes a folder a persona


@dataclass(frozen=True, slots=True)
class Manners:
    """`energy` in [0, 1]: how much brows, nods and head move while speaking; `mood`: the resting feeling."""

    energy: float = 0.5
    mood: Emotion = Emotion()


@dataclass(frozen=True, slots=True)
class PersonaSpec:
    """What a persona's file says.

    `language`: ISO 639-1 with optional region. `avatar`: a built-in head or a path.
    `voice`: the `[voice]` table, understood by `mien.speech.voices`; `voices`: tables like it for other
    languages, by ISO 639-1 (`[voices.zh]`), each with a `volume` of its own.
    `lexicon`: how it says particular words.
    `background`: `studio`, a colour such as `#00ff00`, or a picture's path.
    `volume`: dB added to the voice's own, so that all personas are equally loud.
    `mind`: the folder of what it knows, for a persona that is a folder with `persona.toml` and `mind/`.
    """

    name: str
    title: str
    language: str
    avatar: str
    voice: Mapping[str, Any]
    manners: Manners
    lexicon: Lexicon
    background: str
    volume: float = 0.0
    mind: Path | None = None
    voices: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def is_slow(self) -> bool:
        """Whether one of its voices gives a breath out whole, at hardly more than the pace of speech."""
        return any(table.get("kind") in SLOW for table in (self.voice, *self.voices.values()))


def folders() -> list[Path]:
    """Return the folders that may hold personas: `$MIEN_PERSONAS`, then those that mien ships."""
    own = os.environ.get("MIEN_PERSONAS")
    package = Path(__file__).parents[1] / "personas"
    source = Path(__file__).parents[3] / "personas"
    shipped = [folder for folder in (package, source) if folder.is_dir()][:1]
    return [Path(own), *shipped] if own else shipped


def names() -> list[str]:
    """Return the names of the personas that are here: `NAME.toml`, or a folder `NAME` with `persona.toml`."""
    files = (
        file for folder in folders() for file in (*folder.glob("*.toml"), *folder.glob(f"*/{IN_FOLDER}"))
    )
    return sorted({_name(file) for file in files})


def read(name: str | Path) -> PersonaSpec:
    """Read a persona by its name, or by the path of its TOML file or its folder.

    Raises `MissingError` when it is not there and `InputError` when the file is wrong.
    """
    file = _find(str(name))
    try:
        table = parse_toml(contents(file, "persona"))
    except ValueError as error:
        raise InputError(f"{file}: not valid TOML: {error}") from None
    return _parse(file, table)


def with_voice(spec: PersonaSpec, file: Path) -> PersonaSpec:
    """Return the persona with the voice of a file: `.onnx` is a Piper voice, `.bin` a Kokoro voice vector."""
    kinds = {".onnx": "piper", ".bin": "kokoro"}
    kind = kinds.get(file.suffix.lower())
    if kind is None:
        raise InputError(f"{file} is no voice; give a Piper voice (.onnx) or a Kokoro voice vector (.bin)")
    return replace(spec, voice={"kind": kind, "path": str(file)}, voices={})


def _find(name: str) -> Path:
    if name.endswith(".toml"):
        if Path(name).is_file():
            return Path(name)
        raise MissingError(f"no persona file {name}")
    if os.sep in name and (Path(name) / IN_FOLDER).is_file():
        return Path(name) / IN_FOLDER
    for folder in (*folders(), Path()):
        for file in (folder / f"{name}.toml", folder / name / IN_FOLDER):
            if file.is_file():
                return file
    raise MissingError(f"no persona {name!r}{nearest(name, names())}")


def _name(file: Path) -> str:
    return file.absolute().parent.name if file.name == IN_FOLDER else file.stem


def _mind(file: Path) -> Path | None:
    beside = file.parent / "mind"
    return beside if file.name == IN_FOLDER and beside.is_dir() else None


def with_avatar(spec: PersonaSpec, avatar: str) -> PersonaSpec:
    """Return the persona with another head: a built-in name or a file."""
    return replace(spec, avatar=avatar)


def _parse(file: Path, table: dict[str, Any]) -> PersonaSpec:
    known = {each.name for each in fields(PersonaSpec)} - {"name", "mind"}
    _only(file, table, known)
    for key in ("language", "avatar", "voice"):
        if key not in table:
            raise InputError(f"{file}: {key!r} is missing")
    manners = _table(file, table, "manners")
    _only(file, manners, {"energy", "emotion", "strength"}, "manners.")
    energy = _number(file, manners, "energy", 0.5, 0.0, 1.0)
    return PersonaSpec(
        name=_name(file),
        title=_words(file, table, "title", _name(file)),
        language=_words(file, table, "language", ""),
        avatar=_beside(file, _words(file, table, "avatar", "")),
        voice=_table(file, table, "voice"),
        manners=Manners(energy, _mood(file, manners)),
        lexicon=Lexicon(_table(file, table, "lexicon"), origin=f"{file}: lexicon"),
        background=_words(file, table, "background", "studio"),
        volume=_number(file, table, "volume", 0.0, -40.0, 20.0),
        mind=_mind(file),
        voices=_voices(file, table),
    )


def _voices(file: Path, table: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the voices of other languages, by language."""
    named = _table(file, table, "voices")
    for language in named:
        if not re.fullmatch("[a-z]{2,3}", language):
            raise InputError(f"{file}: voices.{language}: no language; write it as ISO 639-1, as [voices.zh]")
        _number(file, _table(file, named, language, "voices."), "volume", 0.0, -40.0, 20.0)
    return named


def _beside(file: Path, avatar: str) -> str:
    """Return a head's name, or its file, which may lie beside the persona's."""
    near = file.parent / avatar
    return str(near) if Path(avatar).suffix and near.is_file() else avatar


def _mood(file: Path, manners: Mapping[str, Any]) -> Emotion:
    strength = _number(file, manners, "strength", 1.0, 0.0, 1.0)
    try:
        return Emotion(str(manners.get("emotion", "neutral")), strength)
    except InputError as error:
        raise InputError(f"{file}: manners: {error}") from None


def _number(file: Path, table: Mapping[str, Any], key: str, default: float, low: float, high: float) -> float:
    value = table.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise InputError(f"{file}: {key} is {value!r}; it must be a number from {low:g} to {high:g}")
    return float(value)


def _words(file: Path, table: Mapping[str, Any], key: str, default: str) -> str:
    value = table.get(key, default)
    if not isinstance(value, str):
        raise InputError(f"{file}: {key} is {value!r}; it must be text in quotes")
    return value


def _table(file: Path, table: dict[str, Any], key: str, prefix: str = "") -> dict[str, Any]:
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise InputError(f"{file}: '{prefix}{key}' must be a table, written as [{prefix}{key}]")
    return value


def _only(file: Path, table: Mapping[str, Any], known: set[str], prefix: str = "") -> None:
    for key in table:
        if key not in known:
            raise InputError(f"{file}: no key {prefix}{key}{nearest(key, known)}")
