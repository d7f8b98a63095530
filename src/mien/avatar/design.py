"""A person designed from a few wishes: a preset, and what is to differ from it.

person = design(Wishes(like="ava", age=45, hair="grey"))
head = mien.avatar.sources.make(person)
"""

from __future__ import annotations

import importlib
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from mien.avatar import palette
from mien.avatar.build.person import Color, Person, people, read_person
from mien.errors import InputError, nearest

YEARS = {1.0: 0.0, 12.0: 1 / 3, 25.0: 2 / 3, 90.0: 1.0}  # MakeHuman's scale of ages
ANCESTRIES = ("african", "asian", "caucasian")
YOUNGEST, OLDEST = 16.0, 90.0
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _.-]{0,39}")


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a person shall be; None leaves it to the preset `like`.

    `age` in years; `gender` 0 male to 1 female; `ancestry`: shares of `ANCESTRIES`; `weight`, `muscle` in
    [0, 1]; `hair`: a style, a colour, or both as `bob:grey`; `skin`, `eyes`: a colour of `palette` or
    `#rrggbb`; `outfit`, `beard`, `glasses`: names, `none` for none.
    """

    like: str | None = None
    age: float | None = None
    gender: float | None = None
    ancestry: Mapping[str, float] = field(default_factory=dict)
    weight: float | None = None
    muscle: float | None = None
    hair: str | None = None
    skin: str | None = None
    eyes: str | None = None
    outfit: str | None = None
    beard: str | None = None
    glasses: str | None = None


def design(wishes: Wishes, name: str = "me") -> Person:
    """Return the person wished for; raises `InputError` for a wish that can not be granted."""
    if not NAME.fullmatch(name):
        raise InputError(f"a person can not be called {name!r}; use letters, digits, - and _, at most 40")
    person = read_person(wishes.like or _closest(wishes))
    person = replace(person, name=name)
    for change in (_body, _skin, _age_marks, _eyes, _hair, _worn):
        person = change(person, wishes)
    return person


def _closest(wishes: Wishes) -> str:
    """Return the preset that is nearest to the wished body."""

    def distance(name: str) -> float:
        body = read_person(name).phenotype
        total = sum(getattr(body, ancestry) for ancestry in ANCESTRIES)
        parts = [] if wishes.gender is None else [2 * (body.gender - wishes.gender)]
        parts += [] if wishes.age is None else [3 * (body.age - age_of(wishes.age))]
        shares = ancestry_of(wishes.ancestry) if wishes.ancestry else {}
        parts += [getattr(body, key) / total - share for key, share in shares.items()]
        return sum(part * part for part in parts)

    return min(sorted(people()), key=distance)


def age_of(years: float) -> float:
    """Return an age in years on MakeHuman's scale; raises `InputError`."""
    _within("age", years, YOUNGEST, OLDEST)
    return float(np.interp(years, list(YEARS), list(YEARS.values())))


def ancestry_of(shares: Mapping[str, float]) -> dict[str, float]:
    """Return the share of each of `ANCESTRIES`, of a sum of one; raises `InputError`."""
    for name, share in shares.items():
        if name not in ANCESTRIES:
            raise InputError(f"no ancestry {name!r}{nearest(name, ANCESTRIES)}")
        _within(f"ancestry {name}", share, 0.0, 1.0)
    total = sum(shares.values())
    if not total > 0:
        raise InputError(f"the shares of ancestry are all 0; give one of {', '.join(ANCESTRIES)} more")
    return {name: shares.get(name, 0.0) / total for name in ANCESTRIES}


def _within(what: str, value: float, low: float, high: float) -> float:
    if not (math.isfinite(value) and low <= value <= high):
        raise InputError(f"{what} is {value:g}; it must be from {low:g} to {high:g}")
    return value


def _body(person: Person, wishes: Wishes) -> Person:
    body = person.phenotype
    for key in ("gender", "weight", "muscle"):
        value = getattr(wishes, key)
        if value is not None:
            body = replace(body, **{key: _within(key, value, 0.0, 1.0)})
    if wishes.age is not None:
        body = replace(body, age=age_of(wishes.age))
    if wishes.ancestry:
        body = replace(body, **ancestry_of(wishes.ancestry))
    return replace(person, phenotype=body)


def _skin(person: Person, wishes: Wishes) -> Person:
    """Colour the skin, as wished or as the ancestry suggests; lips and shades keep their relation to it."""
    if wishes.skin is not None:
        albedo = palette.find("skin", wishes.skin)
    elif wishes.ancestry and wishes.like is None:
        albedo = palette.skin_of(ancestry_of(wishes.ancestry))
    else:
        return person
    old = person.skin
    lips = palette.lips_of(albedo, old.lip_color)
    shade = _scaled(old.brow_shade, albedo, old.albedo)
    return replace(person, skin=replace(old, albedo=albedo, lips=lips, brow_shade=shade))


def _scaled(color: Color, to: Color, of: Color) -> Color:
    a, b, c = (min(x * min(t / max(o, 1e-3), 1.0), 1.0) for x, t, o in zip(color, to, of, strict=True))
    return a, b, c


def _age_marks(person: Person, wishes: Wishes) -> Person:
    """Give lines, spots and grey to the age that is wished for."""
    if wishes.age is None:
        return person
    lines = float(np.interp(wishes.age, [28, 80], [0, 1]))
    spots = float(np.interp(wishes.age, [50, 85], [0, 0.7]))
    grey = float(np.interp(wishes.age, [50, 80], [0, 0.8]))
    skin = replace(person.skin, lines=lines, spots=spots, freckles=person.skin.freckles)
    return replace(person, skin=skin, strands=replace(person.strands, brow_grey=grey))


def _eyes(person: Person, wishes: Wishes) -> Person:
    if wishes.eyes is None:
        return person
    inner, outer = palette.iris(wishes.eyes)
    return replace(person, eyes=replace(person.eyes, iris_inner=inner, iris_outer=outer))


def _hair(person: Person, wishes: Wishes) -> Person:
    """Set a style, a colour, or both."""
    styles = choices("hair")
    for word in (wishes.hair or "").split(":"):
        if word in styles:
            person = replace(person, hair=replace(person.hair, style=word))
        elif word:
            if word not in palette.COLORS["hair"] and not word.startswith("#"):
                raise InputError(f"no hair {word!r}{nearest(word, [*styles, *palette.COLORS['hair']])}")
            root = palette.find("hair", word)
            tip = _scaled_up(root)
            hair = replace(person.hair, root=root, tip=tip)
            person = replace(person, hair=hair, strands=replace(person.strands, brow_color=tip))
            person = replace(person, beard=replace(person.beard, color=root))
    return person


def _scaled_up(color: Color, by: float = 1.7) -> Color:
    a, b, c = (min(x * by, 0.9) for x in color)
    return a, b, c


def _worn(person: Person, wishes: Wishes) -> Person:
    """Set what is worn; the builder knows the names."""
    if wishes.outfit is not None:
        outfit = known("outfit", wishes.outfit)
        person = replace(person, clothes=replace(person.clothes, outfit=outfit))
    if wishes.beard is not None:
        person = replace(person, beard=replace(person.beard, style=known("beard", wishes.beard)))
        stubble = person.skin.beard if wishes.beard != "none" else 0.0
        person = replace(person, skin=replace(person.skin, beard=stubble))
    if wishes.glasses is not None:
        frame = known("glasses", wishes.glasses)
        person = replace(person, glasses=replace(person.glasses, frame=frame))
    return person


def known(kind: str, name: str) -> str:
    """Return a name of an outfit, beard or frame; raises `InputError` naming the nearest."""
    valid = choices(kind)
    if name not in valid:
        raise InputError(f"no {kind} {name!r}{nearest(name, valid)}")
    return name


def choices(kind: str) -> list[str]:
    """Return the names of a `kind`: `hair`, `outfit`, `beard`, `glasses`, `skin`, `eyes`, `hair color`."""
    if kind in ("skin", "eyes", "hair color"):
        return list(palette.COLORS[kind.removesuffix(" color")])
    module, table = _TABLES[kind]
    names = getattr(importlib.import_module(f"mien.avatar.build.{module}"), table)
    return list(dict.fromkeys([*names, *([] if kind in ("hair", "outfit") else ["none"])]))


_TABLES = {
    "hair": ("hairstyles", "STYLES"),
    "outfit": ("outfits", "OUTFITS"),
    "beard": ("beard", "BEARDS"),
    "glasses": ("glasses", "FRAMES"),
}
