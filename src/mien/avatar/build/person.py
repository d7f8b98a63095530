"""A person as data: body, skin, eyes, hair, clothes. The built-in people lie in `mien/avatar/people`."""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_type_hints

from mien.errors import InputError, nearest

Color = tuple[float, float, float]  # linear RGB albedo

FOLDER = Path(__file__).parent.parent / "people"


@dataclass(frozen=True, slots=True)
class Phenotype:
    """MakeHuman's macro sliders. `gender` 0 male to 1 female; `age` 1/3 child, 2/3 young, 1 old; `muscle`,
    `weight`, `height`, `proportions` (0 ideal) in [0, 1]; ancestry as shares of any sum.
    """

    gender: float
    age: float
    muscle: float = 0.5
    weight: float = 0.5
    height: float = 0.5
    proportions: float = 0.5
    african: float = 1.0
    asian: float = 1.0
    caucasian: float = 1.0


@dataclass(frozen=True, slots=True)
class Skin:
    """`albedo`, `lips`, `brow_shade`, `scalp`: linear colours; the rest are strengths in [0, 1]."""

    albedo: Color
    lips: Color
    brow_shade: Color
    scalp: Color
    lip_color: float
    lip_gloss: float
    makeup: float
    beard: float


@dataclass(frozen=True, slots=True)
class Eyes:
    """`iris_inner`, `iris_outer`: linear colours."""

    iris_inner: Color
    iris_outer: Color


@dataclass(frozen=True, slots=True)
class Strands:
    """Lashes and brows; counts for one side, lash lengths as shares of the helper's."""

    lash_color: Color
    lash_upper: float
    lash_lower: float
    lash_upper_count: int
    lash_lower_count: int
    lash_width: float
    brow_color: Color
    brow_heights: tuple[float, ...]
    brow_thickness: float
    brow_count: int


@dataclass(frozen=True, slots=True)
class Hair:
    """`style`: one of `mien.avatar.build.hairstyles.STYLES`; `root`, `tip`: linear colours."""

    style: str
    root: Color
    tip: Color


@dataclass(frozen=True, slots=True)
class Clothes:
    """`shirt`, `jacket`, `lapel`: linear colours."""

    shirt: Color
    jacket: Color
    lapel: Color


@dataclass(frozen=True, slots=True)
class Person:
    """All that a person is built from. `targets`: local identity targets, `?` for both sides."""

    name: str
    phenotype: Phenotype
    targets: Mapping[str, float]
    skin: Skin
    eyes: Eyes
    strands: Strands
    hair: Hair
    clothes: Clothes


def people() -> list[str]:
    """Return the names of the built-in people."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def read_person(name: str) -> Person:
    """Read a built-in person; raises `InputError` naming the nearest when there is none of that name."""
    if name not in people():
        raise InputError(f"no avatar {name!r}{nearest(name, people())}")
    return parse_person((FOLDER / f"{name}.toml").read_text("utf-8"), name)


def parse_person(text: str, name: str) -> Person:
    """Parse a person's TOML; raises `InputError` on a key that is unknown or missing."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"avatar {name!r} is not TOML: {error}") from None
    return _fill(Person, {"name": name, **table}, f"avatar {name!r}")  # type: ignore[no-any-return]


def _fill(kind: Any, table: Mapping[str, Any], where: str) -> Any:
    """Make a dataclass of a table, strictly."""
    fields = {field.name: field for field in dataclasses.fields(kind)}
    for key in table:
        if key not in fields:
            raise InputError(f"{where} has an unknown key {key!r}{nearest(key, fields)}")
    hints, values = get_type_hints(kind), {}
    for key, field in fields.items():
        if key in table:
            values[key] = _value(hints[key], table[key], f"{where}, [{key}]")
        elif field.default is dataclasses.MISSING:
            raise InputError(f"{where} has no {key!r}; add it")
    return kind(**values)


def _value(hint: Any, value: Any, where: str) -> Any:
    if dataclasses.is_dataclass(hint):
        if not isinstance(value, Mapping):
            raise InputError(f"{where} is {value!r}; write a table")
        return _fill(hint, value, where)
    return tuple(value) if isinstance(value, list) else value
