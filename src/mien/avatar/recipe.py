"""A person as TOML text that anyone may have written: checked before anything is built of it."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mien import packs
from mien.avatar.build.person import Person, parse_person
from mien.errors import InputError, nearest

LONGEST = 100_000  # characters
MOST = 2000  # strands, of lashes and brows
_LIMITS: Mapping[str, tuple[float, float]] = {
    "lash_upper_count": (0, MOST), "lash_lower_count": (0, MOST), "brow_count": (0, MOST),
    "lash_upper": (0, 3), "lash_lower": (0, 3), "lash_width": (0, 4), "brow_thickness": (0, 0.3),
    "length": (0, 4),
}  # fmt: skip
_MOST_ROWS = 64
_TARGET = re.compile(r"[a-z0-9-]+/[a-z0-9?-]+")


def parse(text: str, name: str) -> Person:
    """Return a checked person; raises `InputError` for anything that is not a person within limits."""
    if len(text) > LONGEST:
        raise InputError(f"avatar {name!r} has {len(text):,} characters; the most is {LONGEST:,}")
    person = parse_person(text, name)
    check(person)
    return person


def check(person: Person) -> None:
    """Raise `InputError` for a number out of its range or a target that the pack does not have."""
    where = f"avatar {person.name!r}"
    for key, value in _numbers(person):
        low, high = _LIMITS.get(key, (-1.0, 1.0) if key == "age" else (0.0, 1.0))
        if not (math.isfinite(value) and low <= value <= high):
            raise InputError(f"{where}: {key} is {value:g}; it must be from {low:g} to {high:g}")
    if len(person.strands.brow_heights) < 2:
        raise InputError(
            f"{where}: brow_heights has {len(person.strands.brow_heights)} numbers; give two or more"
        )
    if not person.phenotype.african + person.phenotype.asian + person.phenotype.caucasian > 0:
        raise InputError(f"{where}: its ancestry sums up to 0; make one more")
    folder = packs.path("human") / "mpfb2" / "targets"
    for target, weight in person.targets.items():
        _check_target(where, target, folder)
        if not (math.isfinite(weight) and -2 <= weight <= 2):
            raise InputError(f"{where}: {target} is {weight:g}; it must be from -2 to 2")


def _numbers(value: Any, key: str = "") -> Iterator[tuple[str, float]]:
    """Yield every number of a person but targets and places of moles, with its key."""
    if dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            if field.name not in ("targets", "moles"):
                yield from _numbers(getattr(value, field.name), field.name)
    elif isinstance(value, tuple):
        if len(value) > _MOST_ROWS:
            raise InputError(f"{key} has {len(value)} entries; the most is {_MOST_ROWS}")
        for item in value:
            yield from _numbers(item, key)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield key, float(value)


def _check_target(where: str, target: str, folder: Path) -> None:
    file = folder / f"{target.replace('?', 'l')}.target.gz"
    if not _TARGET.fullmatch(target) or not file.is_file():
        valid = [
            f"{path.parent.name}/{path.name.removesuffix('.target.gz')}" for path in folder.glob("*/*.gz")
        ]
        close = nearest(target, valid) if valid else ""
        raise InputError(f"{where}: no target {target!r}{close if len(close) < 200 else ''}")


def to_toml(person: Person) -> str:
    """Return a person as the TOML that `parse` reads; its name is not in it."""
    lines = [f"# A person of mien: mien avatar show {json.dumps(person.name)[1:-1]}.toml"]
    for field in dataclasses.fields(person):
        value = getattr(person, field.name)
        if field.name == "name":
            continue
        table = dict(value) if isinstance(value, Mapping) else dataclasses.asdict(value)
        lines += ["", f"[{field.name}]"]
        lines += [f"{_key(key)} = {_written(item)}" for key, item in table.items() if item is not None]
    return "\n".join(lines) + "\n"


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key)


def _written(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_written, value))}]"
    return json.dumps(value)
