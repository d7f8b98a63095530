"""Lashes: strands that stand on the lids' edges and turn with the lids about the eye."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np

from mien.avatar.build.draft import Cast, Draft
from mien.avatar.build.geometry import unit
from mien.avatar.build.human import Doubles, Human, Indices
from mien.avatar.build.person import Strands
from mien.avatar.build.strands import make_strands
from mien.avatar.correctives import drivers, is_corrective

POINTS = 4
LIFT = 0.004  # dm: how far in front of the lid's edge a lash begins
CENTIMETRE = 0.1  # dm
TIP_WIDTH = 0.00025  # dm, half


@dataclass(frozen=True, slots=True)
class Row:
    """A row of lashes: `upward` 1 or -1; `rise`: degrees from straight ahead at root and tip; `width`: half
    width at the root, dm; `pale`: how much of the skin's colour shows through what is finer than a pixel.
    """

    helper: str
    upward: int
    rise: tuple[float, float]
    width: float
    pale: float


UPPER, LOWER = "2", "1"  # helpers of the base mesh
ROWS = (Row(UPPER, 1, (-16.0, 58.0), 0.0011, 0.0), Row(LOWER, -1, (14.0, 52.0), 0.0008, 0.5))


def make_lashes(human: Human, cast: Cast, looks: Strands, skin: tuple[float, float, float]) -> Draft:
    """Return all four rows of lashes; `skin`: the albedo that pales the fine ones."""
    random = np.random.default_rng(7)
    made = [
        _lashes(random, edge_line(human, cast, side, row.helper), cast, centre, row, looks)
        for side, centre in zip("lr", cast.eyes, strict=True)
        for row in ROWS
    ]
    counts = [len(widths) for _, widths, _ in made]
    pale = np.repeat([row.pale for row in (*ROWS, *ROWS)], counts)[:, None]
    dark, light = np.array(looks.lash_color), np.array(skin)
    centres = np.concatenate([path for path, _, _ in made])
    return make_strands(
        "lashes",
        centres,
        np.broadcast_to([0.0, 0.0, 1.0], centres.shape),
        np.concatenate([widths for _, widths, _ in made]),
        {name: np.concatenate([moves[name] for _, _, moves in made]) for name in cast.face_units},
        dark + (0.6 * light - dark) * pale * random.uniform(0.6, 1.2, (len(pale), 1)),
    )


def edge_line(human: Human, cast: Cast, side: str, helper: str) -> Indices:
    """Return the vertices of the base mesh along a lid's edge, from the inner corner outwards."""
    quads = human.faces[f"helper-{side}-eyelashes-{helper}"][:, :, 0]
    return np.asarray(_grid(quads, cast.vertices, cast.eyes["lr".index(side)])[0])


def along_line(line: Indices, at: Doubles) -> tuple[Indices, Doubles]:
    """Return the two vertices (N, 2) around places in [0, 1] along a line, and their shares."""
    where = at * (len(line) - 1)
    first = np.clip(where.astype(np.int64), 0, len(line) - 2)
    part = where - first
    return np.stack([line[first], line[first + 1]], 1), np.stack([1 - part, part], 1)


def _lashes(
    random: np.random.Generator, line: Indices, cast: Cast, eye: Doubles, row: Row, looks: Strands
) -> tuple[Doubles, Doubles, dict[str, Doubles]]:
    """Return paths (S, P, 3), half widths (S, P) and deltas of one row."""
    upper = row.upward > 0
    count = looks.lash_upper_count if upper else looks.lash_lower_count
    length = CENTIMETRE * (looks.lash_upper if upper else looks.lash_lower)
    even = (np.arange(count) + 0.5 + random.uniform(-0.45, 0.45, count)) / count
    at = _even(cast.vertices[line], 0.06 + 0.92 * even)
    corners, shares = along_line(line, at)

    def gather(rows: Doubles) -> Doubles:
        return np.asarray((rows[corners] * shares[..., None]).sum(axis=1))

    roots = gather(cast.vertices)
    path = _paths(random, roots, eye, even, row, length)
    moves = {name: _carried(roots, gather(delta), path, eye) for name, delta in cast.face_units.items()}
    for name in filter(is_corrective, moves):
        both = set(drivers(name))
        whole = gather(cast.face_units[name] + sum(cast.face_units[driver] for driver in both))
        moves[name] = _carried(roots, whole, path, eye) - sum(moves[driver] for driver in both)
    taper = 1 - np.linspace(0, 1, POINTS) ** 1.5
    widths = row.width * looks.lash_width * random.uniform(0.7, 1.15, count)[:, None] * taper + TIP_WIDTH
    return path, widths, moves


def _even(points: Doubles, share: Doubles) -> Doubles:
    """Return places in [0, 1] by vertex of a line at the given shares of its length."""
    length = np.r_[0, np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))]
    return np.asarray(np.interp(share * length[-1], length, np.linspace(0, 1, len(points))))


def _paths(
    random: np.random.Generator, roots: Doubles, eye: Doubles, even: Doubles, row: Row, length: float
) -> Doubles:
    """Return lashes (S, P, 3): they leave the lid forwards, curl away from the eye and fan out sideways."""
    ahead = unit(roots - eye)
    outward = np.array([np.sign(eye[0]), 0.0, 0.0])
    lift = unit(np.array([0.0, row.upward, 0.0]) - ahead * (row.upward * ahead[:, 1:2]))
    fan = np.interp(even, [0, 0.3, 0.65, 1], [-0.42, -0.12, 0.18, 0.55])
    clumps = 0.16 * np.sin(even * 95 + row.upward) * (row.upward > 0)  # lashes lean together in small groups
    lean = (fan + clumps + random.normal(0, 0.09, len(even)))[:, None] * outward
    reach = np.interp(even, [0, 0.25, 0.65, 0.9, 1], [0.42, 0.78, 1.0, 0.86, 0.55])
    reach *= length * random.uniform(0.72, 1.08, len(even))
    low, high = row.rise
    t = np.linspace(0, 1, POINTS)
    rise = np.radians(low + (high - low) * t[None] ** 0.9 + random.normal(0, 6, len(even))[:, None])[
        ..., None
    ]
    steps = ahead[:, None] * np.cos(rise) + lift[:, None] * np.sin(rise) + lean[:, None] * t[:, None]
    path = np.cumsum(np.concatenate([np.zeros_like(steps[:, :1]), steps[:, :-1]], 1), axis=1) / (POINTS - 1)
    return np.asarray(roots[:, None] + LIFT * ahead[:, None] + path * reach[:, None, None])


def _carried(roots: Doubles, moves: Doubles, path: Doubles, eye: Doubles) -> Doubles:
    """Return the deltas (S, P, 3) of lashes whose roots move by `moves` and that turn with them about the eye
    (Rodrigues' rotation).
    """
    before, after = unit(roots - eye), unit(roots + moves - eye)
    axis = np.cross(before, after)
    sine = np.linalg.norm(axis, axis=1)[:, None, None]
    axis, cosine = unit(axis)[:, None], np.sqrt(1 - np.minimum(sine, 1) ** 2)
    arm = path - roots[:, None]
    across = np.cross(axis, arm)
    turned = sine * across + (1 - cosine) * np.cross(axis, across)
    return np.asarray(moves[:, None] + turned)


def _grid(quads: Indices, vertices: Doubles, eye: Doubles) -> Indices:
    """Order a helper's vertices as a grid: first row at the lid's edge, first column at the inner corner."""
    beside: dict[int, set[int]] = defaultdict(set)
    uses: Counter[tuple[int, int]] = Counter()
    for quad in quads.tolist():
        for a, b in zip(quad, quad[1:] + quad[:1], strict=True):
            beside[a].add(b)
            beside[b].add(a)
            uses[min(a, b), max(a, b)] += 1
    faces_at = Counter(quads.ravel().tolist())

    def rim(path: list[int]) -> list[int]:
        while faces_at[path[-1]] != 1 or len(path) < 2:
            last = path[-1]
            path += [
                v for v in sorted(beside[last]) if uses[min(v, last), max(v, last)] == 1 and v not in path
            ][:1]
        return path

    corner = min(v for v, n in faces_at.items() if n == 1)
    starts = [v for v in sorted(beside[corner]) if uses[min(v, corner), max(v, corner)] == 1]
    short, long = sorted((rim([corner, v]) for v in starts), key=len)
    rows, taken = [long], set(long)
    for first in short[1:]:
        row = [first]
        for above in rows[-1][1:]:
            row.append(next(v for v in sorted(beside[above]) if v in beside[row[-1]] and v not in taken))
        rows.append(row)
        taken |= set(row)
    return _oriented(np.array(rows), vertices, eye)


def _oriented(grid: Indices, vertices: Doubles, eye: Doubles) -> Indices:
    away = np.linalg.norm(vertices[grid] - eye, axis=2).mean(axis=1)
    if away[0] > away[-1]:
        grid = grid[::-1]
    inner, outer = np.abs(vertices[grid[0, [0, -1]], 0])
    return grid[:, ::-1] if inner > outer else grid
