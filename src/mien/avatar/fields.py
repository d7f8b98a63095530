"""What of a person can be set by hand, and within what: one table for pages, commands and checks.

Values are what a page or a file holds: numbers, and names or `#rrggbb`. What is not set stays as the preset
`like` has it: `compose({"like": "ava", "age": 45, "nose_width": -0.3})`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

import numpy as np

from mien.avatar import palette, recipe
from mien.avatar.build.person import Color, Person, people
from mien.avatar.design import ANCESTRIES, OLDEST, YEARS, YOUNGEST, Wishes, design
from mien.errors import InputError, nearest

Value = float | str
Values = Mapping[str, Value]
Kind = Literal["number", "choice", "color"]
GROUPS = ("person", "face", "skin", "eyes", "hair", "beard", "glasses", "outfit")


@dataclass(frozen=True, slots=True)
class Field:
    """One thing to set. Numbers: from `low` to `high`, of which `ends` says the meaning. Choices: `choices`.
    Colours: `choices` of a `palette` by name, or `#rrggbb`.

    It is a wish (`mien.avatar.design.Wishes`), a `path` in the recipe (`skin.freckles`), or `targets`: the
    names of the recipe's targets for less and for more.
    """

    key: str
    group: str
    label: str
    kind: Kind = "number"
    low: float = 0.0
    high: float = 1.0
    ends: tuple[str, str] = ("less", "more")
    choices: tuple[str, ...] = ()
    palette: str = ""
    path: str = ""
    targets: tuple[str, str] | None = None

    def check(self, value: object) -> Value:
        """Return a value that is valid; raises `InputError`."""
        if self.kind == "number":
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise InputError(f"{self.key} is {value!r}; give a number from {self.low:g} to {self.high:g}")
            if not self.low <= value <= self.high:
                shown = f"{value:g}" if isinstance(value, float) else str(value)[:40]
                raise InputError(f"{self.key} is {shown}; it must be from {self.low:g} to {self.high:g}")
            return float(value)
        if not isinstance(value, str):
            raise InputError(f"{self.key} is {value!r}; give a name: {', '.join(self.choices)}")
        if self.kind == "color" and value.startswith("#"):
            palette.parse(value)
        elif value not in self.choices:
            hexes = " or #rrggbb" if self.kind == "color" else ""
            raise InputError(f"no {self.label.lower()} {value!r}{nearest(value, self.choices)}{hexes}")
        return value

    def color(self, name: str) -> Color:
        """Return a colour by its name or as `#rrggbb`; raises `InputError`."""
        return palette.find(self.palette, name)


@cache
def fields() -> tuple[Field, ...]:
    """Return all fields, in the order in which a page shows them."""
    from mien.avatar.fields_table import TABLE

    return TABLE


def field(key: str) -> Field:
    """Return a field by its key; raises `InputError`."""
    found = {each.key: each for each in fields()}
    if key not in found:
        raise InputError(f"no field {key!r}{nearest(key, found)}")
    return found[key]


def compose(values: Values, name: str = "me") -> Person:
    """Return the person of these values; raises `InputError` for one that is not valid."""
    like = values.get("like", "ava")
    if like not in people():
        raise InputError(f"no avatar {like!r}{nearest(str(like), people())}")
    checked = {key: field(key).check(value) for key, value in values.items() if key != "like"}
    person = design(_wishes(str(like), checked), name)
    for key, value in checked.items():
        person = _set(person, field(key), value)
    recipe.check(person)
    return person


def _wishes(like: str, values: Values) -> Wishes:
    plain = {key: values[key] for key in WISHES if key in values}
    hair = ":".join(str(values[key]) for key in ("hair", "hair_color") if key in values)
    shares = {}
    if any(key in values for key in ANCESTRIES):
        own = values_of(design(Wishes(like=like)))
        shares = {key: values.get(key, own[key]) for key in ANCESTRIES}
    return Wishes(like=like, hair=hair or None, ancestry=shares, **plain)  # type: ignore[arg-type]  # checked


WISHES = ("age", "gender", "weight", "muscle", "skin", "eyes", "outfit", "beard", "glasses")


def _set(person: Person, of: Field, value: Value) -> Person:
    if of.targets is not None:
        return replace(person, targets=_targets(person, of.targets, float(value)))
    if not of.path:
        return person
    table, key = of.path.split(".")
    new = value if of.kind != "color" else of.color(str(value))
    return replace(person, **{table: replace(getattr(person, table), **{key: new})})


def _targets(person: Person, names: tuple[str, str], value: float) -> dict[str, float]:
    """Return a person's targets with one of a pair at the size of `value`."""
    others = {name: weight for name, weight in person.targets.items() if name not in names}
    return others | ({names[value > 0]: round(abs(value), 4)} if value else {})


def values_of(person: Person) -> dict[str, Value]:
    """Return all values as a person has them; colours as `#rrggbb`."""
    body = person.phenotype
    total = sum(getattr(body, key) for key in ANCESTRIES)
    known: dict[str, Value] = {key: round(getattr(body, key) / total, 3) for key in ANCESTRIES}
    years = float(np.interp(body.age, list(YEARS.values()), list(YEARS)))
    known |= {"age": round(max(YOUNGEST, min(OLDEST, years)), 1), "hair": person.hair.style}
    known |= {"gender": body.gender, "weight": body.weight, "muscle": body.muscle}
    known |= {"outfit": person.clothes.outfit, "beard": person.beard.style, "glasses": person.glasses.frame}
    colors = {"skin": person.skin.albedo, "hair_color": person.hair.root, "eyes": person.eyes.iris_outer}
    known |= {key: palette.to_hex(color) for key, color in colors.items()}
    return known | {each.key: _value(person, each) for each in fields() if each.path or each.targets}


def _value(person: Person, of: Field) -> Value:
    if of.targets is not None:
        less, more = (person.targets.get(name, 0.0) for name in of.targets)
        return float(np.clip(more - less, of.low, of.high))
    table, key = of.path.split(".")
    value: Any = getattr(getattr(person, table), key)
    return palette.to_hex(value) if of.kind == "color" else float(np.clip(value, of.low, of.high))
