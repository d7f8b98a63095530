"""Machines that are not here: what is claimed of each, who says so, and when.

A profile says what a machine can do; `mien.engine.targets` says how models are built for a backend.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from typing import Any, Final

from mien.errors import CorruptError, InputError, nearest

HOW: Final = ("run", "vendor", "reported", "recalled", "inferred")
KINDS: Final = ("cpu", "board", "phone", "browser", "gpu")
ABOUT: Final = (
    "runs", "cpu", "memory", "power", "encode", "draw", "install", "speed", "trap",
)  # fmt: skip
_FOLDER: Final = "mien.check.targets"
_SOURCES: Final = "sources.toml"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a claim comes from. `date`: when it was run, or a document's issue; `read`: when opened."""

    title: str
    date: str
    url: str = ""
    read: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that is said of a machine.

    `how`: it was `run`, a `vendor`'s document that was opened says so, somebody else's that was opened does
    (`reported`), it is a vendor's figure that was not looked up again (`recalled`), or it is `inferred`.
    """

    about: str
    what: str
    how: str
    source: str


@dataclass(frozen=True, slots=True)
class Backend:
    """What runs models there. `opset`: the greatest, 0 when it is not known.

    `ask`: who knows which operators it takes: `onnxruntime`, `openvino`, `tensorrt-rtx[:sm89]`,
    `table:NAME`; empty when nobody here does.
    """

    name: str
    on: str
    versions: str
    precisions: tuple[str, ...]
    ask: str
    how: str
    source: str
    opset: int = 0


@dataclass(frozen=True, slots=True)
class Profile:
    """A kind of machine. `engine`: the target that `mien compile` builds for it, empty for none."""

    name: str
    title: str
    kind: str
    system: str
    backends: tuple[Backend, ...]
    claims: tuple[Claim, ...]
    capability: str = ""
    engine: str = ""

    def about(self, what: str) -> list[Claim]:
        """Return the claims about one thing."""
        return [claim for claim in self.claims if claim.about == what]


def names() -> list[str]:
    """Return the names of all profiles, sorted."""
    files = [file.name for file in resources.files(_FOLDER).iterdir()]
    return sorted(name.removesuffix(".toml") for name in files if name.endswith(".toml") and name != _SOURCES)


@cache
def profile(name: str) -> Profile:
    """Return a profile; raises `InputError` with the nearest name."""
    if name not in names():
        raise InputError(f"no target {name!r}{nearest(name, [*names(), 'all'])}")
    return parse(name, (resources.files(_FOLDER) / f"{name}.toml").read_text("utf-8"), sources())


def select(wanted: str) -> list[Profile]:
    """Return `all` profiles, or those named, with commas between them; raises `InputError`."""
    return [profile(name) for name in (names() if wanted == "all" else wanted.split(","))]


@cache
def sources() -> dict[str, Source]:
    """Return where claims come from, by the name that they give."""
    table = tomllib.loads((resources.files(_FOLDER) / _SOURCES).read_text("utf-8"))
    return {name: Source(**row) for name, row in table.items()}


def parse(name: str, text: str, known: dict[str, Source]) -> Profile:
    """Return the profile of a text; raises `CorruptError` for what is unknown, missing, or has no source."""
    try:
        table = tomllib.loads(text)
        backends = tuple(_of(Backend, row, known) for row in table.pop("backends"))
        claims = tuple(_of(Claim, row, known) for row in table.pop("claims"))
        made: Profile = _strict(Profile, {"name": name, "backends": backends, "claims": claims, **table})
        _one_of(made.kind, KINDS)
        for claim in claims:
            _one_of(claim.about, ABOUT)
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise CorruptError(f"the profile {name!r} is not usable: {error}") from None
    return made


def _of(kind: type[Any], row: dict[str, Any], known: dict[str, Source]) -> Any:
    made = _strict(kind, row)
    _one_of(made.how, HOW)
    _one_of(made.source, known)
    if made.how in ("vendor", "reported") and not known[made.source].read:
        raise ValueError(f"{made.source!r} was not opened: say how = 'recalled', or when it was read")
    return made


def _strict(kind: type[Any], table: dict[str, Any]) -> Any:
    valid = [field.name for field in fields(kind)]
    for key in table:
        _one_of(key, valid)
    return kind(**{key: tuple(value) if isinstance(value, list) else value for key, value in table.items()})


def _one_of(value: str, valid: Any) -> None:
    if value not in valid:
        raise ValueError(f"{value!r} is not known{nearest(value, valid)}")
