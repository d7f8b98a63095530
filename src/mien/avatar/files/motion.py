"""A face track as a glTF animation: morph weights, the head's and the eyes' rotations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mien.avatar.correctives import expand, is_corrective, pairs
from mien.avatar.files.document import Document, Json
from mien.avatar.model import Ints
from mien.face.pose import FaceTrack

Floats = NDArray[np.float32]

EYES = ("eye_left", "eye_right")


def animate(document: Document, head: int, track: FaceTrack, rate_hz: float) -> None:
    """Add `track`, resampled to `rate_hz`, as the animation `face`; `head` is the head's node."""
    count = max(1, round(len(track) / track.rate_hz * rate_hz))
    times = track.start_s + np.arange(count) / rate_hz
    poses = [track.at(float(time)) for time in times]
    animation: Json = {"name": "face", "samplers": [], "channels": []}
    clock = document.accessor(np.maximum(times, 0).astype(np.float32))
    weights = np.clip(np.stack([pose.weights for pose in poses]), 0, 1)
    weights = expand(weights, _products(document))
    values = document.accessor(np.round(weights * 65535).astype(np.uint16).ravel(), normalized=True)
    nodes = document.json["nodes"]
    meshes = document.json["meshes"]
    morphed = [
        i for i, node in enumerate(nodes) if "weights" in meshes[node.get("mesh", 0)] and "mesh" in node
    ]
    _channels(animation, clock, values, morphed, "weights")
    turns = quaternions(np.stack([pose.head for pose in poses]))
    _channels(animation, clock, document.accessor(turns), [head], "rotation")
    for side, name in enumerate(EYES):
        gaze = np.stack([pose.gaze[side] for pose in poses])
        turns = quaternions(np.c_[gaze, np.zeros(count, np.float32)])
        found = [i for i, node in enumerate(nodes) if node["name"] == name]
        _channels(animation, clock, document.accessor(turns), found, "rotation")
    document.json["animations"] = [animation]


def _products(document: Document) -> Ints:
    """Return the drivers (K, 2) of the correctives that the meshes have beside ARKit's targets."""
    named = (mesh["extras"]["targetNames"] for mesh in document.json["meshes"] if "weights" in mesh)
    return pairs(filter(is_corrective, next(named, [])))


def _channels(animation: Json, clock: int, values: int, nodes: list[int], path: str) -> None:
    """Add one sampler, and for each node a channel that uses it."""
    animation["samplers"].append({"input": clock, "output": values, "interpolation": "LINEAR"})
    sampler = len(animation["samplers"]) - 1
    for node in nodes:
        animation["channels"].append({"sampler": sampler, "target": {"node": node, "path": path}})


def quaternions(angles: Floats) -> Floats:
    """Return rotations (T, 4) as x, y, z, w from yaw, pitch, roll (T, 3): Ry(yaw) Rx(pitch) Rz(roll)."""
    (cy, cx, cz), (sy, sx, sz) = np.cos(angles / 2).T, np.sin(angles / 2).T
    rows = np.stack(
        [
            cy * sx * cz + sy * cx * sz,
            sy * cx * cz - cy * sx * sz,
            cy * cx * sz - sy * sx * cz,
            cy * cx * cz + sy * sx * sz,
        ],
        axis=1,
    )
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)
