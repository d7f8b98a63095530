"""Teeth. The base mesh's teeth are plain bands: new ones stand on an arch fitted to them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mien.avatar.build.correctives import TONGUE
from mien.avatar.build.draft import Cast, Draft, draft
from mien.avatar.build.eyes import grid_triangles
from mien.avatar.build.geometry import smoothstep, vertex_normals
from mien.avatar.build.human import LOWER_TEETH, UPPER_TEETH, Doubles, Indices

TOOTH_COLOR, GUM_COLOR = np.array([0.80, 0.75, 0.665]), np.array([0.50, 0.15, 0.14])
TOOTH_ROWS, TOOTH_COLUMNS, CANINE = 7, 10, 2
CHEEK_SHADE = np.array([0.62, 0.36, 0.32])  # of teeth between the cheeks: what light comes there is red
TIP_LIGHT = 0.25  # how much of the key light falls on the tip of the tongue in an open mouth
MIDLINE = 0.0024  # dm: how far rows move inwards, so that no gap parts the central teeth
GUM_POINTS, PAPILLA = 140, 0.020  # along an arch; dm: how far the gum reaches down between two teeth
JAW_UNITS = ("jawOpen", "jawForward", "jawLeft", "jawRight", TONGUE)


@dataclass(frozen=True, slots=True)
class Arch:
    """One row of teeth. Lengths in dm; seven teeth a side from the middle outwards.

    The arch is x = `width` sin(f)^0.95, z = `depth` cos(f)^0.9, `back` behind the helper's front;
    `edge_drop`: of the biting edge below the helper's; `stagger`: how far each edge stands out of the row;
    `gum` the gum line above (upper) or below (lower) the edge.
    """

    upper: bool
    width: float
    back: float
    edge_drop: float
    gum: float
    widths: tuple[float, ...]
    heights: tuple[float, ...]
    stagger: tuple[float, ...]
    depth: float = 0.46
    overlap: float = 1.07  # of neighbouring teeth, so that no dark line shows between them


UPPER = Arch(
    upper=True,
    width=0.275,
    back=0.012,
    edge_drop=0.034,
    gum=0.122,
    widths=(0.088, 0.068, 0.076, 0.07, 0.068, 0.09, 0.07),
    heights=(0.108, 0.098, 0.106, 0.088, 0.084, 0.08, 0.075),
    stagger=(0.0, -0.0070, -0.0025, -0.006, -0.008, -0.011, -0.015),
)
LOWER = Arch(
    upper=False,
    width=0.262,
    back=0.047,
    edge_drop=0.062,
    gum=0.098,
    widths=(0.056, 0.060, 0.068, 0.07, 0.07, 0.085, 0.07),
    heights=(0.088, 0.09, 0.1, 0.088, 0.082, 0.078, 0.075),
    stagger=(0.0, 0.001, 0.004, -0.004, -0.008, -0.01, -0.012),
)
# The gum's cross-section: outwards from the arch and towards the root, in gum heights (0.085 dm).
GUM_PROFILE = ((-0.012, -0.30), (0.020, -0.10), (0.030, 0.25), (0.030, 0.7), (0.015, 1.1), (-0.05, 1.3))


def make_teeth(cast: Cast, wear: float = 0.0) -> list[Draft]:
    """Return the upper and the lower row; the lower one follows the jaw rigidly. `wear` in [0, 1] yellows."""
    upper = _row(cast.vertices[UPPER_TEETH], UPPER, "teeth_upper")
    lower = _row(cast.vertices[LOWER_TEETH], LOWER, "teeth_lower")
    for row in (upper, lower):
        row.color *= 1 - wear * np.array([0.09, 0.12, 0.19]) * (1 - row.extra[:, :1])
    lower.morphs = {
        name: _rigid(cast.vertices[LOWER_TEETH], cast.face_units[name][LOWER_TEETH], lower.positions)
        for name in JAW_UNITS
    }
    for row in (upper, lower):
        row.find_normals()
    return [upper, lower]


def _rigid(source: Doubles, deltas: Doubles, points: Doubles) -> Doubles:
    """Apply to points the affine motion that moves `source` by `deltas` (least squares)."""
    motion = np.linalg.lstsq(np.c_[source, np.ones(len(source))], deltas, rcond=None)[0]
    return np.asarray(np.c_[points, np.ones(len(points))] @ motion)


def _row(helper: Doubles, arch: Arch, name: str) -> Draft:
    front = helper[helper[:, 2] > helper[:, 2].max() - 0.12, 1]
    edge = (front.min() if arch.upper else front.max()) - arch.edge_drop
    origin = helper[:, 2].max() - arch.back - arch.depth
    pieces = [_tooth(arch, k, side, edge, origin) for side in (1, -1) for k in range(len(arch.widths))]
    gum = _gum(arch, edge, origin)
    offsets = np.cumsum([0, *(len(positions) for positions, _ in pieces)])
    positions = np.concatenate([positions for positions, _ in (*pieces, gum)])
    triangles = np.concatenate([t + o for (_, t), o in zip((*pieces, gum), offsets, strict=True)])
    is_gum = (np.arange(len(positions)) >= offsets[-1]).astype(float)
    enamel = _enamel(arch)
    color = np.tile(GUM_COLOR, (len(positions), 1))
    color[: len(enamel)] = enamel
    extra = np.zeros((len(positions), 4))
    extra[:, 0] = is_gum
    return draft(name, "teeth", positions, triangles, color=color, extra=extra)


def _enamel(arch: Arch) -> Doubles:
    """Return the colour of each vertex of each tooth: no two alike, canines deeper, yellower at the gum,
    bluish where the biting edge lets light through.
    """
    random = np.random.default_rng(3 if arch.upper else 4)
    along = np.repeat(np.linspace(-1, 1, TOOTH_ROWS), TOOTH_COLUMNS)[:, None]
    colors = []
    for k in [*range(len(arch.widths))] * 2:
        tone = random.uniform(0.965, 1.02) * (0.95 if k == CANINE else 1.0)
        warm = np.array([0.985, 0.945, 0.86]) ** (0.4 + 0.5 * random.uniform() + (k == CANINE))
        neck, edge = smoothstep(0.1, -1.0, along), smoothstep(0.6, 1.0, along)
        shade = TOOTH_COLOR * tone * (1 + (warm - 1) * (0.35 + neck))
        colors.append(shade * (1 - edge * np.array([0.12, 0.08, 0.03])))
    return np.concatenate(colors)


def _curve(arch: Arch, angles: Doubles) -> Doubles:
    """Return points (N, 2) of the arch in x and z, by angle from the front."""
    x = arch.width * np.sign(np.sin(angles)) * np.abs(np.sin(angles)) ** 0.95
    return np.stack([x, arch.depth * np.cos(angles) ** 0.9], 1)


def _frame(arch: Arch, along: float) -> tuple[Doubles, Doubles, Doubles]:
    """Return point, tangent and outward normal (2,) at an arc length from the middle."""
    curve = _curve(arch, np.linspace(0, 1.45, 600))
    length = np.r_[0, np.cumsum(np.linalg.norm(np.diff(curve, axis=0), axis=1))]
    at, ahead = (
        np.array([np.interp(s, length, curve[:, k]) for k in range(2)]) for s in (along, along + 0.01)
    )
    tangent = (ahead - at) / np.linalg.norm(ahead - at)
    normal = np.array([-tangent[1], tangent[0]])
    return at, tangent, normal if normal @ at >= 0 else -normal


def _tooth(arch: Arch, k: int, side: int, edge: float, origin: float) -> tuple[Doubles, Indices]:
    """Return the k-th tooth from the middle on one side, a superellipsoid that narrows to the gum."""
    width, height = arch.widths[k], arch.heights[k]
    at, tangent, normal = _frame(arch, sum(arch.widths[:k]) + width / 2 - MIDLINE)
    local = _superellipsoid(width * arch.overlap, height, incisor=k < 3, lean=0.010 if arch.upper else -0.003)
    down = -1 if arch.upper else 1
    middle = edge - down * (height / 2 - arch.stagger[k])
    flat = at + local[:, :1] * tangent + local[:, 2:] * normal
    tooth = np.stack([side * flat[:, 0], middle + down * local[:, 1], origin + flat[:, 1]], 1)
    return tooth, _outward(tooth, grid_triangles(TOOTH_ROWS, TOOTH_COLUMNS, wrap=True), tooth.mean(axis=0))


def _superellipsoid(width: float, height: float, *, incisor: bool, lean: float) -> Doubles:
    """Return a tooth (V, 3) about its centre: x along the arch, y from gum to edge, z outwards."""
    across = np.linspace(-np.pi, np.pi, TOOTH_COLUMNS, endpoint=False)
    along = np.linspace(-np.pi / 2, np.pi / 2, TOOTH_ROWS)
    u, v = np.meshgrid(across, along)
    y, ring = _power(np.sin(v), 0.45), _power(np.cos(v), 0.2 if incisor else 0.35)
    taper = 1 - 0.22 * (1 - y) / 2
    thin = 1 - 0.35 * (1 + y) / 2 if incisor else 1.0
    x = _power(np.cos(u), 0.55) * ring * width / 2 * taper
    z = _power(np.sin(u), 0.7) * ring * (0.03 if incisor else 0.05) * thin - lean * (1 + y) / 2
    return np.stack([x, y * height / 2, z], -1).reshape(-1, 3)


def _power(x: Doubles, exponent: float) -> Doubles:
    return np.asarray(np.sign(x) * np.abs(x) ** exponent)


def _gum(arch: Arch, edge: float, origin: float) -> tuple[Doubles, Indices]:
    """Return the gum: its profile swept along the arch."""
    points = GUM_POINTS
    curve = _curve(arch, np.linspace(-1.45, 1.45, points))
    along = np.gradient(curve, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    normal = np.stack([-along[:, 1], along[:, 0]], 1)
    normal *= np.sign((normal * (curve + np.array([0, 0.01]))).sum(1, keepdims=True))
    up = 1 if arch.upper else -1
    between = _between_teeth(arch, curve)
    rows = []
    for out, root in GUM_PROFILE:
        flat = curve + out * normal
        reach = PAPILLA * (between - 0.5) * smoothstep(0.9, -0.1, root)
        height = edge + up * (arch.gum + 0.085 * root - reach)
        rows.append(np.stack([flat[:, 0], height, origin + flat[:, 1]], 1))
    gum = np.concatenate(rows)
    return gum, _outward(gum, grid_triangles(len(rows), points), np.array([0, np.nan, origin]))


def _between_teeth(arch: Arch, curve: Doubles) -> Doubles:
    """Return for points along the arch (N, 2) 1 between two teeth, 0 in the middle of one."""
    steps = np.linalg.norm(np.diff(curve, axis=0), axis=1)
    length = np.r_[0, np.cumsum(steps)]
    away = np.abs(length - np.interp(0.0, curve[:, 0], length))
    ends = np.r_[0, np.cumsum(arch.widths)]
    tooth = np.clip(np.searchsorted(ends, away, side="right") - 1, 0, len(arch.widths) - 1)
    share = np.clip((away - ends[tooth]) / np.array(arch.widths)[tooth], 0, 1)
    return np.asarray(np.abs(2 * share - 1) ** 2.2)


def _outward(positions: Doubles, triangles: Indices, centre: Doubles) -> Indices:
    """Return the triangles turned so that they face away from `centre`; a NaN axis does not count."""
    away = np.nan_to_num((positions - centre) * vertex_normals(positions, triangles)).sum()
    return triangles if away >= 0 else triangles[:, ::-1]


def darken(parts: dict[str, Draft], skin: Draft) -> None:
    """Set the openness of what lies in the mouth by depth behind the teeth: baked rays can not see
    that light falls in only through the lips.
    """
    front = parts["teeth_upper"].positions[:, 2].max()
    for name in ("teeth_upper", "teeth_lower"):
        teeth = parts[name]
        near = smoothstep(0.42, 0.03, teeth.positions[:, 2].max() - teeth.positions[:, 2])
        deep = smoothstep(0.10, 0.20, np.abs(teeth.positions[:, 0]))[:, None]
        teeth.color = teeth.color * (1 + deep * (CHEEK_SHADE - 1))
        between = deep[:, 0]
        sides = 1 - 0.94 * between
        gum = np.where(teeth.extra[:, 0] > 0, 0.8, 1.0)[:, None]
        shut = (0.16 + 0.60 * near) * sides
        wide = 0.14 - 0.10 * between + 0.86 * near * (0.15 + 0.85 * sides - 0.08 * between)
        teeth.occlusion = np.stack([shut, wide], 1) * gum
    tongue = parts["tongue"]
    near = smoothstep(0.75, 0.05, tongue.positions[:, 2].max() - tongue.positions[:, 2])
    tongue.occlusion = np.stack([0.04 + 0.4 * near, 0.06 + 0.62 * near + 0.2 * near**3], 1)
    tongue.key_light = np.stack([np.zeros_like(near), TIP_LIGHT * near**3], 1)
    inside = skin.extra[:, 0] > 0
    near = smoothstep(0.55, -0.06, front - skin.positions[inside, 2])
    skin.occlusion[inside] = np.stack([0.05 + 0.30 * near, 0.08 + 0.55 * near], 1)
