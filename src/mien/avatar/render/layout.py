"""The columns of the packed arrays that the kernels share.

`FACES` (F, 6) int32: three vertices, material, group, two-sided. Samples of one pixel that show the
same group at nearly the same depth are shaded once.
`STATIC` (V, 16) float32, one cache line a vertex: what no pose changes.
`LIT` (V, 16) float32, one cache line a vertex: diffuse and specular light; how both change with the
normal along u and v; texture coordinates; place on the screen. An eye keeps its normal, openness and
key light in place of the light.
`RIG` (26, 3) float32: four directions to the lights, their colours, harmonics of what walls receive and
of what gloss mirrors (`lights`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]
Bytes = NDArray[np.uint8]

A, B, C, MATERIAL, GROUP, TWO_SIDED = range(6)
U, V, OCCLUSION, OCCLUSION_OPEN, KEY, KEY_OPEN, HEAD, RED, GREEN, BLUE, EXTRA = range(11)
X, Y, Z, W = range(EXTRA, EXTRA + 4)  # `Part.extra`
TANGENT, HAND = RED, Y  # of skin: xyz along u of the texture; 1 or -1: which side of it v is
KIND = 15  # the vertex's material
STATIC_COLUMNS = 16
DIFFUSE, SPECULAR, RELIEF, GLINT, TEXEL, SCREEN = 0, 3, 6, 8, 10, 12
LIT_COLUMNS = 16
KEY_LIGHT, FILL_LIGHT, RIM_LEFT, RIM_RIGHT = range(4)
COLOR, WALL, MIRROR = 4, 8, 17

# The order of `mien.avatar.model.MATERIALS`.
SKIN, EYE, TEETH, TONGUE, HAIR, STRAND, CLOTH, PLAIN, EYEBALL = range(9)

NEAR, FAR = 0.2, 5.0  # metres from the camera
ID_BITS = 20
EMPTY = (1 << 62) - 1  # a sample that shows no triangle
DEPTH_SCALE = float(1 << 40)
TILE_WIDTH, TILE_HEIGHT = 64, 32  # samples; they fit into the fastest cache of a core
BLOCK = 8  # samples, across and down, of which a tile knows the farthest
BUCKETS = 256  # of depth, in which triangles are sorted


class Model(NamedTuple):
    """What no frame changes. `faces` are in the order of drawing; those from `still` on never move."""

    faces: Ints
    static: Floats
    skin: Bytes  # (H, W, 6): square roots of albedo, gloss, relief along u and v
    hair: Floats  # (h, w) streaks
    iris: Floats  # (2, 3) inner and outer colour
    rig: Floats
    table: Floats  # of `tone`
    still: int


class Moment(NamedTuple):
    """One pose: `points` (V, 6), `clip` (V, 3), `head` (4, 3), `camera` (5, 3), `turns` (2, 3, 3),
    `lids` (2,), `sight` (2, 3), `state` (1,): how open the jaw is.
    """

    points: Floats
    clip: Floats
    head: Floats
    camera: Floats
    turns: Floats
    lids: Floats
    sight: Floats
    state: Floats


class Lists(NamedTuple):
    """Triangles of each tile of samples, row by row of tiles: `items[starts[i] : starts[i + 1]]`, about from
    near to far, of which `moving[i]` move. `boxes` (F, 4): first and last column and row of samples of
    each, the last row before the first when it shows nothing; `near` (F,): its least depth. `order` (F,) and
    `buckets` (BUCKETS + 1,): space for sorting.
    """

    starts: Ints
    moving: Ints
    items: Ints
    boxes: NDArray[np.int16]
    near: Floats
    order: Ints
    buckets: Ints


class Scratch(NamedTuple):
    """One thread's own space: `samples` of a tile and the `farthest` of each of its blocks, `lit` vertices,
    the frame that lit each (`stamp`) and that first showed each triangle (`seen`), `strip` of a picture,
    `mix` (18,) of what lies between vertices and between texels.
    """

    samples: NDArray[np.int64]
    farthest: NDArray[np.int64]
    lit: Floats
    stamp: Ints
    seen: Ints
    strip: Bytes
    mix: Floats
