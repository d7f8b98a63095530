"""The columns of the packed arrays that the kernels share.

`FACES` (F, 6) int32: three vertices, material, group, two-sided. Samples of one pixel that show the
same group at nearly the same depth are shaded once.
`STATIC` (V, 16) float32, one cache line a vertex: what no pose changes.
`LIT` (V, 8) float32: diffuse and specular light of a vertex; an eye keeps its normal and openness there.
`RIG` (10, 3) float32: four directions to the lights, their colours, sky and ground.
"""

from __future__ import annotations

A, B, C, MATERIAL, GROUP, TWO_SIDED = range(6)
U, V, OCCLUSION, OCCLUSION_OPEN, KEY, KEY_OPEN, HEAD, RED, GREEN, BLUE, EXTRA = range(11)
X, Y, Z, W = range(EXTRA, EXTRA + 4)  # `Part.extra`
KIND = 15  # the vertex's material
STATIC_COLUMNS = 16
DIFFUSE, SPECULAR = 0, 3
KEY_LIGHT, FILL_LIGHT, RIM_LEFT, RIM_RIGHT = range(4)
COLOR, SKY, GROUND = 4, 8, 9

SKIN, EYE, TEETH, TONGUE, HAIR, STRAND, CLOTH, PLAIN, EYEBALL = range(
    9
)  # order of `mien.avatar.model.MATERIALS`

NEAR, FAR = 0.2, 5.0  # metres from the camera
ID_BITS = 20
EMPTY = (1 << 62) - 1  # a sample that shows no triangle
DEPTH_SCALE = float(1 << 40)
