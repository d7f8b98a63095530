"""The built-in people, told in a few words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mien.avatar.build.person import people, read_person
from mien.avatar.design import ANCESTRIES, YEARS

_HALF, _SOME = 0.4, 0.2  # shares from which an ancestry is named


@dataclass(frozen=True, slots=True)
class Preset:
    """A built-in person: `years` of age; `gender`, `ancestry` and `hair` in words."""

    name: str
    years: float
    gender: str
    ancestry: str
    hair: str


def presets() -> list[Preset]:
    """Return all built-in people."""
    return [_preset(name) for name in people()]


def _preset(name: str) -> Preset:
    person = read_person(name)
    body = person.phenotype
    total = sum(getattr(body, word) for word in ANCESTRIES)
    shares = {word: getattr(body, word) / total for word in ANCESTRIES}
    named = sorted((word for word in ANCESTRIES if shares[word] >= _SOME), key=lambda word: -shares[word])
    gender = "female" if body.gender > 1 - _HALF else "male" if body.gender < _HALF else "between"
    years = float(np.interp(body.age, list(YEARS.values()), list(YEARS)))
    return Preset(name, years, gender, " and ".join(named), person.hair.style)
