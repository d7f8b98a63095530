"""Phonemes as mouth shapes: reads `visemes.toml` and finds the shape for any IPA symbol."""

from __future__ import annotations

import logging
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mien.errors import CorruptError
from mien.face.pose import ARKIT_NAMES, weights

Floats = NDArray[np.float64]

ARTICULATORS = ("jaw", "rounding", "spreading", "lips", "tongue")
HOLDS = ("", "bilabial", "labiodental", "sibilant", "dental")
_DEFAULT_DOMINANCE = 0.05
_UNKNOWN = "ə"
_MOVED_BY = (
    ("jaw", ("jaw",)),
    ("rounding", ("mouthFunnel", "mouthPucker")),
    ("spreading", ("mouthSmile", "mouthStretch", "mouthDimple")),
    ("tongue", ("tongue",)),
    ("lips", ("mouth",)),
)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class Viseme:
    """The mouth of one phoneme.

    `weights` (52,): the shape. `dominance` (5,): by `ARTICULATORS`. `hold`: one of `HOLDS`.
    """

    name: str
    weights: Floats
    dominance: Floats
    hold: str
    vowel: bool


@dataclass(frozen=True, slots=True)
class _Table:
    visemes: Mapping[str, Viseme]
    sequences: Mapping[str, tuple[str, ...]]
    longest: int


@cache
def articulator_of_units() -> NDArray[np.intp]:
    """Return for each of the 52 units the index in `ARTICULATORS` of what moves it; -1: not the mouth."""
    out = np.full(len(ARKIT_NAMES), -1, np.intp)
    for unit, name in enumerate(ARKIT_NAMES):
        for articulator, prefixes in _MOVED_BY:
            if name.startswith(prefixes):
                out[unit] = ARTICULATORS.index(articulator)
                break
    return out


def _viseme(name: str, entry: Mapping[str, Any]) -> Viseme:
    extra = entry["dominance"].keys() - set(ARTICULATORS)
    hold = entry.get("hold", "")
    if extra or hold not in HOLDS:
        raise CorruptError(
            f"visemes.toml: [{name}] has an unknown articulator or hold {sorted(extra) or hold!r}"
        )
    dominance = [entry["dominance"].get(articulator, _DEFAULT_DOMINANCE) for articulator in ARTICULATORS]
    return Viseme(
        name,
        weights(entry["weights"]).astype(np.float64),
        np.array(dominance),
        hold,
        bool(entry.get("vowel")),
    )


@cache
def _table() -> _Table:
    raw = tomllib.loads(files("mien.face").joinpath("visemes.toml").read_text(encoding="utf-8"))
    visemes: dict[str, Viseme] = {}
    for name, entry in raw["visemes"].items():
        viseme = _viseme(name, entry)
        visemes |= {unicodedata.normalize("NFD", symbol): viseme for symbol in entry["symbols"].split()}
    sequences = {
        unicodedata.normalize("NFD", key): tuple(value.split()) for key, value in raw["sequences"].items()
    }
    return _Table(visemes, sequences, max(map(len, [*visemes, *sequences])))


def _letters(symbol: str) -> str:
    """Drop what does not change the mouth: marks, tie bars, length, aspiration, tone, punctuation."""
    decomposed = unicodedata.normalize("NFD", symbol)
    return "".join(c for c in decomposed if unicodedata.category(c) in ("Ll", "Lu", "Lo"))


@lru_cache(maxsize=4096)
def visemes_of(symbol: str) -> tuple[Viseme, ...]:
    """Return the shapes a phoneme passes through: one for most, two for a diphthong or an unlisted cluster.

    A symbol outside the table is read letter by letter, then by its Latin base letter; what is left
    becomes a neutral mouth, and is logged once.
    """
    table, rest = _table(), unicodedata.normalize("NFD", symbol)
    if rest not in table.visemes and rest not in table.sequences:
        rest = _letters(symbol)
    out: list[Viseme] = []
    while rest:
        head = next((rest[:n] for n in range(table.longest, 0, -1) if _known(rest[:n])), rest[0])
        out += _shapes(head, symbol)
        rest = rest[len(head) :]
    return tuple(out) or (_report(symbol),)


def _known(text: str) -> bool:
    return text in _table().sequences or text in _table().visemes


def _shapes(head: str, symbol: str) -> list[Viseme]:
    table = _table()
    if head in table.sequences:
        return [table.visemes[part] for part in table.sequences[head]]
    base = unicodedata.normalize("NFKD", head).lower()[:1]
    viseme = table.visemes.get(head) or table.visemes.get(base)
    return [viseme or _report(symbol)]


def _report(symbol: str) -> Viseme:
    _log.warning("no viseme for the phoneme %r: its mouth stays neutral", symbol)
    return _table().visemes[_UNKNOWN]
