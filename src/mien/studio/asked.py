"""What a page asks for, checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mien.avatar.build.person import Person
from mien.avatar.fields import Values, compose
from mien.avatar.palette import parse
from mien.errors import InputError, nearest
from mien.face.pose import FacePose
from mien.studio.poses import posed

BACKGROUNDS = ("studio", "office", "transparent")


@dataclass(frozen=True, slots=True)
class View:
    """How a head is looked at."""

    pose: str = "neutral"
    yaw: float = 0.0
    background: str = "studio"

    def posed(self) -> FacePose:
        """Return the pose."""
        return posed(self.pose, self.yaw)


@dataclass(frozen=True, slots=True)
class Asked:
    """A person in a view; `generation` counts what a page has asked."""

    generation: int
    person: Person
    view: View


def read(text: str) -> Asked:
    """Read what a page asks as JSON: `{"generation", "values", "pose", "yaw", "background"}`.

    Raises `InputError`.
    """
    table = read_table(text)
    _only(table, ("generation", "values", "pose", "yaw", "background"))
    generation = table.get("generation", 0)
    if isinstance(generation, bool) or not isinstance(generation, int):
        raise InputError(f"generation is {generation!r}; give a whole number")
    return Asked(generation, person(table.get("values", {})), view(table))


def read_table(text: str) -> Mapping[str, Any]:
    """Read a JSON object; raises `InputError`."""
    try:
        table = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError("what was sent is not JSON; load the page again") from None
    if not isinstance(table, dict):
        raise InputError("what was sent is no JSON object; load the page again")
    return table


def person(values: object, name: str = "studio") -> Person:
    """Return the person of a page's values; raises `InputError`."""
    if not isinstance(values, dict):
        raise InputError(f"values are {values!r}; give an object of fields")
    checked: Values = values
    return compose(checked, name)


def view(table: Mapping[str, Any]) -> View:
    """Return the view that a page asks for; raises `InputError`."""
    yaw = table.get("yaw", 0.0)
    if isinstance(yaw, bool) or not isinstance(yaw, int | float) or not abs(yaw) <= 360:
        raise InputError(f"yaw is {str(yaw)[:20]}; give degrees, -360 to 360")
    seen = View(str(table.get("pose", "neutral")), float(yaw), str(table.get("background", "studio")))
    if seen.background.startswith("#"):
        parse(seen.background)
    elif seen.background not in BACKGROUNDS:  # a file's path is not for pages to choose
        raise InputError(
            f"no background {seen.background!r}{nearest(seen.background, BACKGROUNDS)} or #rrggbb"
        )
    seen.posed()
    return seen


def _only(table: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for key in table:
        if key not in known:
            raise InputError(f"no key {key!r}{nearest(key, known)}")
