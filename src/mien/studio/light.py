"""Light baked for one head, lent to another that differs little, so that it can be seen at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.spatial import cKDTree

from mien.avatar.build.draft import METRES, Draft
from mien.avatar.build.human import Doubles
from mien.avatar.model import Avatar, Part

NEIGHBOURS, NEAR = 6, 1e-5
PLAIN = (0.75, 0.8)  # openness and key light of what the lit head has nothing like


@dataclass(slots=True)
class Lamp:
    """A lit head. Skin is matched by its place on the texture, all else by its place about the eyes."""

    head: Avatar
    _trees: dict[str, tuple[cKDTree, Doubles, Doubles]] = field(default_factory=dict)

    def shine(self, drafts: Sequence[Draft], origin: Doubles) -> None:
        """Fill `occlusion` and `key_light` of drafts whose eyes are about `origin` (3,) dm."""
        for part in drafts:
            part.occlusion, part.key_light = self._at(part, origin)

    def _at(self, part: Draft, origin: Doubles) -> tuple[Doubles, Doubles]:
        if not any(each.material == part.material for each in self.head.parts):
            return unlit(part)
        if part.material not in self._trees:
            self._trees[part.material] = self._tree(part.material)
        tree, occlusion, key_light = self._trees[part.material]
        places = part.uvs if part.material == "skin" else (part.positions - origin) * METRES
        away, near = tree.query(places, k=NEIGHBOURS, workers=2)
        share = 1 / (away + NEAR) ** 2
        share /= share.sum(axis=1, keepdims=True)
        lit = [np.einsum("nk,nkc->nc", share, rows[near]) for rows in (occlusion, key_light)]
        return lit[0], lit[1]

    def _tree(self, material: str) -> tuple[cKDTree, Doubles, Doubles]:
        parts = [part for part in self.head.parts if part.material == material]
        places = np.concatenate([_places(part) for part in parts])
        occlusion = np.concatenate([part.occlusion for part in parts]).astype(np.float64)
        key_light = np.concatenate([part.key_light for part in parts]).astype(np.float64)
        return cKDTree(places), occlusion, key_light


def _places(part: Part) -> Doubles:
    rows = part.uvs if part.material == "skin" else part.positions
    return rows.astype(np.float64)


def unlit(part: Draft) -> tuple[Doubles, Doubles]:
    """Return plain light for a draft that no lit head is known for."""
    count = len(part.positions)
    return np.full((count, 2), PLAIN[0]), np.full((count, 2), PLAIN[1])
