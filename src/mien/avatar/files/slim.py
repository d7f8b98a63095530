"""What a small file leaves out of a part: moves, turns and strands' ends too small to be seen.

Strands are also laid beside their neighbours, which move alike: the codec stores differences of rows.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mien.avatar.model import Floats, Ints, Morph, Part

MOVE = 2e-4  # metres; less than half a pixel of a head 720 pixels high
HELD = 3e-4  # metres; a strand whose move differs by no more from that of the one before moves as that one
TURN = 3.5 / 127  # of a component of a normal
TIP = 2.5e-4  # metres; a strand no wider at its end ends in one vertex
STRANDS = ("strand", "hair")
_FEW = 50  # pieces, of which a part of strands has more


def slim(part: Part) -> Part:
    """Return the part without what can not be seen, its strands in an order that compresses well."""
    if part.material in STRANDS:
        part = _chained(_pointed(part))
        return replace(part, morphs=_held(part))
    return replace(part, morphs={name: _visible(morph) for name, morph in part.morphs.items()})


def _held(part: Part) -> dict[str, Morph]:
    """Return a part's morphs with moves that stay the same from vertex to vertex while they nearly are."""
    moves = np.zeros((len(part.positions), len(part.morphs), 3), np.float32)
    for place, morph in enumerate(part.morphs.values()):
        moves[morph.indices, place] = morph.positions
    used, first = np.unique(part.triangles, return_index=True)
    last = np.zeros_like(moves[0])
    for vertex in used[np.argsort(first)]:
        near = np.abs(moves[vertex] - last) <= HELD
        moves[vertex] = last = np.where(near, last, moves[vertex])
    return {name: _moved(moves[:, place]) for place, name in enumerate(part.morphs)}


def _moved(moves: Floats) -> Morph:
    indices = np.flatnonzero(moves.any(axis=1)).astype(np.int32)
    return Morph(indices, moves[indices], np.zeros((len(indices), 3), np.float32))


def _visible(morph: Morph) -> Morph:
    kept = np.abs(morph.positions).max(axis=1, initial=0) > MOVE
    normals = morph.normals[kept]
    return Morph(morph.indices[kept], morph.positions[kept], np.where(np.abs(normals) < TURN, 0, normals))


def _pointed(part: Part) -> Part:
    """Let both vertices of a thin strand's end be one."""
    low, high = np.sort(_edges(part.triangles), axis=1).T
    ends = (part.uvs[low, 1] == 1) & (part.uvs[high, 1] == 1) & (high == low + 1)
    near = np.linalg.norm(part.positions[low] - part.positions[high], axis=1) < TIP
    same = np.arange(len(part.positions), dtype=np.int32)
    same[high[ends & near]] = low[ends & near]
    triangles = same[part.triangles]
    a, b, c = triangles.T
    return replace(part, triangles=triangles[(a != b) & (b != c) & (c != a)])


def _edges(triangles: Ints) -> Ints:
    return triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)


def _chained(part: Part) -> Part:
    """Put a strand's triangles behind those of the nearest strand that is not yet laid."""
    piece = pieces(part.triangles, len(part.positions))
    firsts, number = np.unique(piece[part.triangles[:, 0]], return_inverse=True)
    if len(firsts) < _FEW:
        return part
    rank = np.empty(len(firsts), np.int64)
    rank[chain(part.positions[firsts])] = np.arange(len(firsts))
    return replace(part, triangles=part.triangles[np.argsort(rank[number], kind="stable")])


def pieces(triangles: Ints, count: int) -> NDArray[np.int64]:
    """Return for each of `count` vertices the lowest one that triangles join it to."""
    lowest, edges = np.arange(count), _edges(triangles)
    while True:
        before = lowest.copy()
        for here, there in (edges.T, edges.T[::-1]):
            np.minimum.at(lowest, here, lowest[there])
        lowest = lowest[lowest]
        if np.array_equal(before, lowest):
            return lowest


def chain(points: Floats) -> NDArray[np.int64]:
    """Return an order of points (N, 3) in which each is followed by the nearest of those still to come."""
    order, waiting = np.arange(len(points)), points.astype(np.float64)
    for place in range(1, len(order)):
        away = ((waiting[place:] - waiting[place - 1]) ** 2).sum(axis=1)
        chosen = place + int(away.argmin())
        order[[place, chosen]] = order[[chosen, place]]
        waiting[[place, chosen]] = waiting[[chosen, place]]
    return order
