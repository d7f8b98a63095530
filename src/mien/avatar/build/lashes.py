"""Lashes: strands over the base mesh's lash helpers, which follow the lids in every face unit."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np

from mien.avatar.build.draft import Cast, Draft
from mien.avatar.build.geometry import smoothstep, unit
from mien.avatar.build.human import Doubles, Human, Indices
from mien.avatar.build.person import Strands
from mien.avatar.build.strands import make_strands

LIFT = 0.013  # dm off the lids, so that they do not cut into the lashes
POINTS = 5
UPPER_WIDTH, LOWER_WIDTH, TIP_WIDTH = 0.0030, 0.0015, 0.0005  # dm, half widths


def make_lashes(human: Human, cast: Cast, looks: Strands) -> Draft:
    """Return all four rows of lashes."""
    random = np.random.default_rng(7)
    vertices, weights, widths = [], [], []
    for side, centre in zip("lr", cast.eyes, strict=True):
        for row in ("2", "1"):  # upper, lower
            grid = _grid(human.faces[f"helper-{side}-eyelashes-{row}"][:, :, 0], cast.vertices, centre)
            count = looks.lash_upper_count if row == "2" else looks.lash_lower_count
            length = looks.lash_upper if row == "2" else looks.lash_lower
            width = (UPPER_WIDTH if row == "2" else LOWER_WIDTH) * looks.lash_width
            at = _sample(random, count, length, grid.shape)
            corners, shares = _bilinear(grid, *at)
            vertices.append(corners)
            weights.append(shares)
            widths.append(np.full(count, width))
    corners, shares = np.concatenate(vertices), np.concatenate(weights)

    def gather(rows: Doubles) -> Doubles:
        return np.asarray((rows[corners] * shares[..., None]).sum(axis=2))

    centres = gather(cast.vertices)
    eyes = np.stack(cast.eyes)
    away = unit(centres - np.where(centres[:, :1, :1] > 0, eyes[0], eyes[1]))
    centres = centres + LIFT * away
    taper = 1 - np.linspace(0, 1, POINTS) ** 1.4
    facing = np.broadcast_to([0.0, 0.0, 1.0], centres.shape)
    return make_strands(
        "lashes",
        centres,
        facing,
        np.concatenate(widths)[:, None] * taper + TIP_WIDTH,
        {name: gather(delta) for name, delta in cast.face_units.items()},
        looks.lash_color,
    )


def _sample(
    random: np.random.Generator, count: int, length: float, shape: tuple[int, ...]
) -> tuple[Doubles, Doubles]:
    """Return row and column positions (S, P) on a lash grid: even along the lid, longest past its middle."""
    along = (np.arange(count) + 0.5 + random.uniform(-0.3, 0.3, count)) / count
    reach = length * (0.62 + 0.38 * np.sin(np.pi * np.minimum(1, along * 1.05 + 0.08)))
    reach *= random.uniform(0.85, 1.08, count) * (1 - 0.8 * smoothstep(0.78, 1, along))
    lean = random.normal(0, 0.35, count)
    t = np.linspace(0, 1, POINTS)
    rows = np.minimum(t * reach[:, None] * 0.98 * (shape[0] - 1), shape[0] - 1.0001)
    columns = along[:, None] * (shape[1] - 1) + 0.5 * lean[:, None] * t**1.5
    return rows, np.clip(columns, 0, shape[1] - 1.0001)


def _bilinear(grid: Indices, rows: Doubles, columns: Doubles) -> tuple[Indices, Doubles]:
    """Return the four vertices (..., 4) around positions on a grid of vertices, and their weights."""
    r, c = rows.astype(int), columns.astype(int)
    down, right = rows - r, columns - c
    corners = np.stack([grid[r, c], grid[r, c + 1], grid[r + 1, c], grid[r + 1, c + 1]], -1)
    weights = [(1 - right) * (1 - down), right * (1 - down), (1 - right) * down, right * down]
    return corners, np.stack(weights, -1)


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
