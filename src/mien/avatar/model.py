"""A head that can wear a face: meshes, morph targets, materials."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]

MATERIALS = ("skin", "eye", "teeth", "tongue", "hair", "strand", "cloth", "plain", "eyeball")

KEY_LIGHT = (-0.55, 0.62, 0.72)  # towards the key light that `Part.key_light` is baked for
HALF_OPEN = 0.55  # weight of jawOpen at the second column of `Part.occlusion` and `Part.key_light`


@dataclass(frozen=True, slots=True, eq=False)
class Morph:
    """A sparse morph target: `indices` (k,), `positions` (k, 3) metres, `normals` (k, 3) deltas."""

    indices: Ints
    positions: Floats
    normals: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One mesh of one material. Metres; axes as in `mien.face.pose`; origin midway between the eyes.

    `positions`, `normals` (V, 3); `uvs` (V, 2); `triangles` (F, 3), counter-clockwise outside.
    `head_weight` (V,): how much the vertex follows the head's rotation about `Avatar.pivot`.
    `occlusion`, `key_light` (V, 2): ambient openness and visibility of the key light in [0, 1],
    baked for the closed and for the half open (`HALF_OPEN`) jaw.
    `color` (V, 3): linear albedo (white where a texture gives it).
    `extra` (V, 4): material's own: hair: tangent xyz and strand seed; eye: position on the unit
    eyeball xyz and 0 left / 1 right; teeth: 1 gum / 0 tooth in x; skin: 1 inside the mouth in x.
    `plain` and `eyeball` are of heads from elsewhere: like `skin` they take their colour from
    `Avatar.skin` at `uvs` (all their pictures lie there, side by side) times `color`; an `eyeball`
    turns with the gaze and has 0 left / 1 right in w.
    `morphs`: by ARKit name; absent ones do not move this part.
    """

    name: str
    material: str
    positions: Floats
    normals: Floats
    uvs: Floats
    triangles: Ints
    head_weight: Floats
    occlusion: Floats
    key_light: Floats
    color: Floats
    extra: Floats
    two_sided: bool = False
    morphs: Mapping[str, Morph] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Avatar:
    """A head: `parts`, `skin` texture (H, W, 4) uint8 (sRGB albedo, gloss in alpha), `eye_centers`
    (2, 3) left and right, `pivot` (3,) of the head's rotation, `iris` (2, 3) linear inner and outer colour.
    `skin_detail` (H, W, 2) uint8: relief too fine for the mesh, as the tangent-space normal along u and v,
    128 for none, over the same uvs as `skin`.
    """

    name: str
    parts: tuple[Part, ...]
    skin: NDArray[np.uint8]
    eye_centers: Floats
    eye_radius: float
    pivot: Floats
    iris: Floats
    credits: str = ""
    skin_detail: NDArray[np.uint8] | None = None

    def part(self, name: str) -> Part:
        """Return the part called `name`; raises `KeyError`."""
        for part in self.parts:
            if part.name == name:
                return part
        raise KeyError(name)
