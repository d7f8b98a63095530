"""A person as data: body, skin, eyes, hair, clothes. The built-in people lie in `mien/avatar/people`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from mien.contents import parse_toml
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
    """`albedo`, `lips`, `brow_shade`, `scalp`: linear colours. Strengths in [0, 1]: `lip_color`, `lip_gloss`,
    `makeup`; `beard`, the shade of what is shaved; `redness` of cheeks, nose and ears; `under_eye`, how dark
    below the eyes; `pores`; `lines` of age; `freckles`; `spots` of age. `moles`: x, y (dm, on a face that
    looks at us, from between the eyes) and radius (mm) of each.
    """

    albedo: Color
    lips: Color
    brow_shade: Color
    scalp: Color
    lip_color: float
    lip_gloss: float
    makeup: float
    beard: float
    redness: float = 0.6
    under_eye: float = 0.5
    pores: float = 0.5
    lines: float = 0.0
    freckles: float = 0.0
    spots: float = 0.0
    moles: tuple[Color, ...] = ()


@dataclass(frozen=True, slots=True)
class Eyes:
    """`iris_inner`, `iris_outer`: linear colours; `open`: how much further the lids stand open than the shape
    has them, as a share of a blink.
    """

    iris_inner: Color
    iris_outer: Color
    open: float = 0.0


@dataclass(frozen=True, slots=True)
class Strands:
    """Lashes and brows; counts for one side; lash lengths as shares of a centimetre; `brow_grey`: the share
    of grey hairs in a brow.
    """

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
    brow_grey: float = 0.0


@dataclass(frozen=True, slots=True)
class Hair:
    """`style`: one of `mien.avatar.build.hairstyles.STYLES`; `root`, `tip`: linear colours."""

    style: str
    root: Color
    tip: Color


@dataclass(frozen=True, slots=True)
class Beard:
    """`style`: one of `mien.avatar.build.beard.BEARDS`; `color`: linear; `length` times the style's."""

    style: str = "none"
    color: Color = (0.06, 0.04, 0.03)
    length: float = 1.0


@dataclass(frozen=True, slots=True)
class Glasses:
    """`frame`: one of `mien.avatar.build.glasses.FRAMES`; `color`: linear."""

    frame: str = "none"
    color: Color = (0.02, 0.015, 0.012)


@dataclass(frozen=True, slots=True)
class Clothes:
    """`outfit`: one of `mien.avatar.build.outfits.OUTFITS`; linear colours: `shirt` of what is worn
    inside, `jacket` of what is worn outside, `lapel` of its collar, lapels or bands.
    """

    shirt: Color
    jacket: Color
    lapel: Color
    outfit: str = "blazer"


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
    beard: Beard = Beard()
    glasses: Glasses = Glasses()


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
        table = parse_toml(text)
    except ValueError as error:
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
        elif field.default is field.default_factory is dataclasses.MISSING:
            raise InputError(f"{where} has no {key!r}; add it")
    return kind(**values)


def _value(hint: Any, value: Any, where: str) -> Any:
    """Return a TOML value as its hint says; a table may be optional (`Beard | None`)."""
    for kind in (hint, *get_args(hint)):
        if dataclasses.is_dataclass(kind):
            if not isinstance(value, Mapping):
                raise InputError(f"{where} is {value!r}; write a table")
            return _fill(kind, value, where)
    if not _fits(hint, value):
        raise InputError(f"{where} is {value!r}; write {_words(hint)}")
    return _tuples(value)


def _fits(hint: Any, value: Any) -> bool:
    """Return whether a TOML value is of a type: number, text, truth, list, or names with numbers."""
    kind, parts = get_origin(hint), get_args(hint)
    if kind is tuple:
        if not isinstance(value, list):
            return False
        hints = parts[:1] * len(value) if parts[-1] is Ellipsis else parts
        return len(value) == len(hints) and all(map(_fits, hints, value))
    if kind is Mapping:
        return isinstance(value, Mapping) and all(_fits(parts[1], item) for item in value.values())
    if kind is not None:
        return True
    return isinstance(value, (int, float) if hint is float else hint) and (
        hint is bool or not isinstance(value, bool)
    )


def _words(hint: Any) -> str:
    kind, parts = get_origin(hint), get_args(hint)
    if kind is tuple:
        return "a list" if parts[-1] is Ellipsis else f"a list of {len(parts)} numbers"
    return {float: "a number", int: "a whole number", str: "text", bool: "true or false"}.get(hint, "a table")


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
