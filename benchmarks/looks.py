"""A contact sheet of a head, to look at: expressions, closures, gaze, turns.

python benchmarks/looks.py [ava|joe|FILE.npz] [pixels] [out/looks.png]
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from mien.avatar import load
from mien.avatar.render import Camera, Renderer, save_png, sheet, warm_up
from mien.face.pose import FacePose, weights


def pose(named: dict[str, float] | None = None, *, yaw: float = 0.0, look: float = 0.0) -> FacePose:
    gaze = np.array([[look, 0], [look, 0]], np.float32)
    return FacePose(weights(named or {}), np.array([yaw, 0, 0], np.float32), gaze)


SMILE = {
    "mouthSmile": 0.6,
    "mouthUpperUp": 0.28,
    "mouthLowerDown": 0.22,
    "cheekSquint": 0.4,
    "eyeSquint": 0.2,
}
SPEECH = {
    "jawOpen": 0.28,
    "mouthLowerDown": 0.35,
    "mouthUpperUp": 0.25,
    "mouthSmile": 0.3,
    "browInnerUp": 0.25,
}
LEFT = {"eyeLookOutLeft": 0.8, "eyeLookInRight": 0.8}
POSES = (
    pose(),
    pose({"jawOpen": 0.8}),
    pose(SMILE),
    pose({"mouthPucker": 1.0}),
    pose({"mouthPress": 0.35, "mouthRollLower": 0.25, "mouthRollUpper": 0.15}),  # m
    pose({"mouthRollLower": 0.6, "mouthUpperUp": 0.3, "jawOpen": 0.06}),  # f
    pose({"eyeBlink": 1.0}),
    pose(LEFT, look=0.3),
    pose(yaw=0.35),
    pose(yaw=-0.35),
    pose(SPEECH, yaw=0.1),
    pose({"mouthFunnel": 0.8, "jawOpen": 0.2}),
)


def main(name: str = "ava", pixels: str = "512", file: str = "out/looks.png") -> None:
    """Draw the sheet, and a second one from close by."""
    warm_up()
    avatar, size, path = load(name), (int(pixels), int(pixels)), Path(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    for zoom, target in ((1.0, path), (2.2, path.with_stem(f"{path.stem}-close"))):
        with Renderer(avatar, size, camera=Camera.portrait(avatar, size, zoom=zoom)) as renderer:
            save_png(sheet(list(renderer.frames(POSES)), columns=4), target)
        print(f"wrote {target}")


if __name__ == "__main__":
    main(*sys.argv[1:])
