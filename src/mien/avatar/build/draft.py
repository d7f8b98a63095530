"""A part of the head while it is being made: dense, in decimetres, double precision."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from mien.avatar.build.geometry import Floats, unit, vertex_normals
from mien.avatar.build.human import Doubles, Indices, joint
from mien.avatar.correctives import drivers, is_corrective, split
from mien.avatar.model import Morph, Part

METRES = 0.1  # of a decimetre
SMALLEST_MOVE = 3e-4  # dm: what moves less does not move
SMALLEST_TURN = 2e-3


@dataclass(frozen=True, slots=True, eq=False)
class Cast:
    """What every part maker needs of a person: the shaped base mesh, centred.

    `vertices` (19158, 3) dm, origin midway between the eyes in X and Y and at the head joint in Z;
    `face_units`: deltas by ARKit name; `head_weights` (19158,).
    """

    vertices: Doubles
    face_units: dict[str, Doubles]
    head_weights: Doubles

    @property
    def eyes(self) -> tuple[Doubles, Doubles]:
        """Centres of the left and the right eyeball."""
        return joint(self.vertices, "left_eye"), joint(self.vertices, "right_eye")


@dataclass(slots=True, eq=False)
class Draft:
    """See `Part`; `morphs` are dense position deltas (V, 3), `normals` and `turns` their normals' deltas.

    `occlusion`, `key_light` (V, 2) are baked later, from all drafts together.
    """

    name: str
    material: str
    positions: Doubles
    triangles: Indices
    uvs: Doubles
    color: Doubles
    extra: Doubles
    head_weight: Doubles
    morphs: dict[str, Doubles] = field(default_factory=dict)
    two_sided: bool = False
    normals: Doubles = field(default_factory=lambda: np.zeros((0, 3)))
    turns: dict[str, Doubles] = field(default_factory=dict)
    occlusion: Doubles = field(default_factory=lambda: np.zeros((0, 2)))
    key_light: Doubles = field(default_factory=lambda: np.zeros((0, 2)))

    def posed(self, **weights: float) -> Doubles:
        """Return the positions under the named morphs and the correctives that they drive."""
        every = dict(weights)
        for name in filter(is_corrective, self.morphs):
            first, second = drivers(name)
            every[name] = weights.get(first, 0.0) * weights.get(second, 0.0)
        return np.asarray(sum((w * self.morphs.get(n, 0.0) for n, w in every.items()), self.positions))

    def find_normals(self, weld: Indices | None = None) -> None:
        """Fill `normals` and `turns` from the shape and from each morph at weight one; a corrective's turns
        are what is missing where its drivers are one.
        """
        self.normals = vertex_normals(self.positions, self.triangles, weld)
        plain, mending = split(self.morphs)
        self.turns = {
            name: vertex_normals(self.positions + self.morphs[name], self.triangles, weld) - self.normals
            for name in plain
        }
        for name in mending:
            both = set(drivers(name)) & set(plain)
            shape = self.posed(**dict.fromkeys(both, 1.0))
            turned = vertex_normals(shape, self.triangles, weld) - self.normals
            self.turns[name] = turned - sum(self.turns[driver] for driver in both)

    def keep(self, triangles: Indices) -> None:
        """Keep only these of the triangles, and the vertices they use."""
        used, inverse = np.unique(triangles, return_inverse=True)
        self.triangles = inverse.reshape(-1, 3)
        for name in (
            "positions",
            "uvs",
            "color",
            "extra",
            "head_weight",
            "normals",
            "occlusion",
            "key_light",
        ):
            rows = getattr(self, name)
            setattr(self, name, rows[used] if len(rows) else rows)
        self.morphs = {name: delta[used] for name, delta in self.morphs.items()}
        self.turns = {name: delta[used] for name, delta in self.turns.items()}

    def finish(self, origin: Doubles) -> Part:
        """Return the part in metres about `origin` (3,) dm."""

        def floats(rows: Doubles) -> Floats:
            return np.ascontiguousarray(rows, np.float32)

        return Part(
            name=self.name,
            material=self.material,
            positions=floats((self.positions - origin) * METRES),
            normals=floats(unit(self.normals)),
            uvs=floats(self.uvs),
            triangles=np.ascontiguousarray(self.triangles, np.int32),
            head_weight=floats(self.head_weight),
            occlusion=floats(self.occlusion),
            key_light=floats(self.key_light),
            color=floats(self.color),
            extra=floats(self.extra),
            two_sided=self.two_sided,
            morphs={name: m for name in sorted(self.morphs) if len((m := self._sparse(name)).indices)},
        )

    def _sparse(self, name: str) -> Morph:
        moves, turns = self.morphs[name], self.turns.get(name, np.zeros_like(self.morphs[name]))
        rows = np.flatnonzero(np.abs(moves).max(axis=1) > SMALLEST_MOVE)
        turn = np.where(np.abs(turns[rows]) > SMALLEST_TURN, turns[rows], 0)
        return Morph(
            rows.astype(np.int32), (moves[rows] * METRES).astype(np.float32), turn.astype(np.float32)
        )


def draft(
    name: str,
    material: str,
    positions: Doubles,
    triangles: Indices,
    *,
    uvs: Doubles | None = None,
    color: Doubles | tuple[float, float, float] = (1.0, 1.0, 1.0),
    extra: Doubles | None = None,
    head_weight: Doubles | None = None,
    morphs: dict[str, Doubles] | None = None,
    two_sided: bool = False,
) -> Draft:
    """Make a draft, filling in what is not given: white, rigid, wholly moved by the head."""
    count = len(positions)
    return Draft(
        name,
        material,
        positions,
        triangles,
        np.zeros((count, 2)) if uvs is None else uvs,
        np.array(np.broadcast_to(np.asarray(color, np.float64), (count, 3))),
        np.zeros((count, 4)) if extra is None else extra,
        np.ones(count) if head_weight is None else head_weight,
        dict(morphs or {}),
        two_sided,
    )
