"""The 52 ARKit weights on any rig: each becomes a sum of what the rig has."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mien.avatar.foreign.meshes import Mesh
from mien.avatar.foreign.names import VISEMES, arkit_name, key, tails, viseme_name
from mien.avatar.foreign.vrm import Vrm
from mien.face.pose import ARKIT_NAMES, weights

Doubles = NDArray[np.float64]
Moves = dict[int, Doubles]  # by mesh
Side = Callable[[Doubles], Doubles]

MOST_LACKING = 3  # visemes that may be missing for the inverse of their table
_RIDGE = 0.05  # keeps the inverse from asking for much where visemes are alike
_MARKED = 0.2  # an ARKit target that no viseme has more of is none of theirs
_LEAST = 0.02  # shares below move nothing that is seen
_FADE, _FADE_Y = 0.012, 0.02  # metres over which a half of the face ends


@dataclass(frozen=True, slots=True)
class Term:
    """`share` of the rig's `source` on one half of the face (`side`, "" for all of it)."""

    source: str
    share: float
    side: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """How one ARKit target is made: `kind` is `own`, `instead`, `visemes` or `none`."""

    kind: str
    terms: tuple[Term, ...] = ()


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(files("mien.avatar.foreign").joinpath("retarget.toml").read_text("utf-8"))


class Targets:
    """A rig's targets under the names that the table uses: `arkit:…`, `viseme:…`, `vrm:…`, and their own."""

    def __init__(self, meshes: Sequence[Mesh], vrm: Vrm) -> None:
        self._meshes = meshes
        self.shapes: dict[str, list[tuple[int, str, float]]] = {}
        for number, mesh in enumerate(meshes):
            for target in mesh.targets:
                for name in _known_as(target):
                    self._add(name, number, target, 1.0)
        for expression, binds in vrm.expressions.items():
            arkit = arkit_name(expression)
            for number, target, weight in self._bound(binds):
                self._add(f"vrm:{expression}", number, target, weight)
                if arkit is not None and f"arkit:{arkit}" not in self.shapes:
                    self._add(f"custom:{arkit}", number, target, weight)
        for name in ARKIT_NAMES:  # a VRM's own expressions of these names
            if custom := self.shapes.pop(f"custom:{name}", None):
                self.shapes.setdefault(f"arkit:{name}", custom)

    def _add(self, name: str, mesh: int, target: str, weight: float) -> None:
        rows = self.shapes.setdefault(name, [])
        if all(row[:2] != (mesh, target) for row in rows):
            rows.append((mesh, target, weight))

    def _bound(self, binds: Sequence[Any]) -> Iterator[tuple[int, str, float]]:
        for bind in binds:
            for number, mesh in enumerate(self._meshes):
                here = mesh.node == bind.node if bind.node >= 0 else mesh.mesh == bind.mesh
                if here and bind.target < len(mesh.order) and mesh.order[bind.target] in mesh.targets:
                    yield number, mesh.order[bind.target], bind.weight

    def has(self, name: str) -> bool:
        """Return whether the rig has what a name of the table stands for."""
        return bool(self.shapes.get(name) or self.shapes.get(f"own:{key(name)}"))

    def moves(self, name: str) -> Moves:
        """Return a target's moves by mesh."""
        out: Moves = {}
        for mesh, target, weight in self.shapes.get(name) or self.shapes.get(f"own:{key(name)}") or ():
            out[mesh] = out.get(mesh, 0.0) + weight * self._meshes[mesh].targets[target]
        return out


def _known_as(target: str) -> Iterator[str]:
    if (shape := arkit_name(target)) is not None:
        yield f"arkit:{shape}"
    if (viseme := viseme_name(target)) is not None:
        yield f"viseme:{viseme}"
    for tail in tails(target):
        yield f"own:{tail}"


def plan(targets: Targets) -> dict[str, Plan]:
    """Decide for each ARKit name how it is made on this rig."""
    plans = {
        name: Plan("own", (Term(f"arkit:{name}", 1.0),))
        for name in ARKIT_NAMES
        if targets.has(f"arkit:{name}")
    }
    inverse = _inverse() if _speaks_visemes(targets) else {}
    for name in ARKIT_NAMES:
        if name in plans:
            continue
        shares = tuple(Term(s, share) for s, share in inverse.get(name, {}).items() if targets.has(s))
        other = _instead(targets, name, plans)
        if shares and any(":" in term.source for term in other.terms or shares):
            plans[name] = Plan("visemes", shares)
        else:
            plans[name] = other
    return {name: plans[name] for name in ARKIT_NAMES}


def _speaks_visemes(targets: Targets) -> bool:
    lacking = [name for name in VISEMES[1:] if not targets.has(f"viseme:{name}")]
    return len(lacking) <= MOST_LACKING


def _instead(targets: Targets, name: str, plans: Mapping[str, Plan]) -> Plan:
    for entry in _table()["instead"].get(name, ()):
        terms = [
            Term(source.partition("@")[0], share, source.partition("@")[2]) for source, share in entry.items()
        ]
        if all(_reachable(targets, term.source, plans) for term in terms):
            return Plan("instead", tuple(terms))
    return Plan("none")


def _reachable(targets: Targets, source: str, plans: Mapping[str, Plan]) -> bool:
    found = plans.get(source.removeprefix("arkit:"))
    return targets.has(source) or (source.startswith("arkit:") and found is not None and found.kind != "none")


@cache
def _inverse() -> dict[str, dict[str, float]]:
    """Return for each ARKit name of the mouth its shares of the visemes: the table's regularised inverse."""
    rows = np.stack([weights(_table()["visemes"][name]) for name in VISEMES[1:]]).astype(np.float64)
    inverse = rows.T @ np.linalg.inv(rows @ rows.T + _RIDGE * np.eye(len(rows)))
    used = {name: inverse[i] for i, name in enumerate(ARKIT_NAMES) if rows[:, i].max() > _MARKED}
    return {
        name: {
            f"viseme:{VISEMES[j + 1]}": float(share) for j, share in enumerate(shares) if abs(share) > _LEAST
        }
        for name, shares in used.items()
    }  # fmt: skip


def compose(targets: Targets, plans: Mapping[str, Plan], positions: Sequence[Doubles]) -> dict[str, Moves]:
    """Return the moves of each ARKit target, by mesh. `positions` (V, 3) of each mesh, fitted (metres)."""
    made: dict[str, Moves] = {}
    late = [name for name, how in plans.items() if any(t.source.startswith("arkit:") for t in how.terms)]
    for name in sorted(plans, key=lambda name: name in late and plans[name].kind != "own"):
        total: Moves = {}
        for term in plans[name].terms:
            source = term.source.removeprefix("arkit:")
            moves = made[source] if source in made else targets.moves(term.source)
            for mesh, rows in moves.items():
                total[mesh] = total.get(mesh, 0.0) + term.share * half(positions[mesh], term.side) * rows
        made[name] = total
    return made


def half(positions: Doubles, side: str) -> Doubles:
    """Return how much of each vertex (V, 1) is on a half of the face: of `left-right` and `upper-lower`."""
    share = np.ones((len(positions), 1))
    for word in side.split("-"):
        if word in ("left", "right"):
            share *= _ramp(positions[:, :1] * (1 if word == "left" else -1), _FADE)
        elif word in ("upper", "lower"):  # the middle of the nose parts them
            share *= _ramp((positions[:, 1:2] + 0.035) * (1 if word == "upper" else -1), _FADE_Y)
    return share


def _ramp(distance: Doubles, width: float) -> Doubles:
    return np.clip(distance / (2 * width) + 0.5, 0, 1)
