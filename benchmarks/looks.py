"""A contact sheet of a head, to look at: expressions, closures, gaze, turns; or one of all people.

python benchmarks/looks.py [NAME|FILE.npz] [pixels] [out/looks.png]
python benchmarks/looks.py --people [pixels] [out/people.png]
python benchmarks/looks.py --targets [NAME|FILE.npz] [out/targets.jpg]
"""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from mien.avatar import load
from mien.avatar.build import people
from mien.avatar.render import Camera, SoftwareRenderer, save_png, sheet, warm_up
from mien.face.pose import ARKIT_NAMES, FacePose, weights


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
LOOKS = {"In": (0, -15.0), "Out": (0, 15.0), "Up": (1, -10.0), "Down": (1, 11.0)}  # of the left eye
FOUR = (pose(), pose(SMILE), pose({"eyeBlink": 1.0}), pose({"jawOpen": 0.5, "mouthFunnel": 0.1}))


def main(name: str = "ava", pixels: str = "512", file: str = "out/looks.png") -> None:
    """Draw the sheet, and a second one from close by."""
    warm_up()
    avatar, size, path = load(name), (int(pixels), int(pixels)), Path(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    for zoom, target in ((1.0, path), (2.2, path.with_stem(f"{path.stem}-close"))):
        with SoftwareRenderer(avatar, size, camera=Camera.portrait(avatar, size, zoom=zoom)) as renderer:
            save_png(sheet(list(renderer.frames(POSES)), columns=4), target)
        print(f"wrote {target}")


def everybody(pixels: str = "240", file: str = "out/people.png") -> None:
    """Draw all people, two a row: at rest, smiling, eyes closed, saying ah."""
    warm_up()
    pictures, size, path = [], (int(pixels), int(pixels)), Path(file)
    for name in people():
        avatar = load(name)
        with SoftwareRenderer(avatar, size, camera=Camera.portrait(avatar, size, zoom=1.3)) as renderer:
            pictures += list(renderer.frames(FOUR))
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(sheet(pictures, columns=2 * len(FOUR))).save(path, quality=80, optimize=True)
    print(f"wrote {path}")


def targets(name: str = "ava", file: str = "out/targets.jpg", pixels: str = "148") -> None:
    """Draw each of the 52 targets at a half and whole, from close by; `mouthClose` with the jaw it closes."""
    warm_up()
    avatar, size, path = load(name), (int(pixels), int(pixels)), Path(file)
    poses = [held(target, share) for target in ARKIT_NAMES for share in (0.5, 1.0)]
    with SoftwareRenderer(avatar, size, camera=Camera.portrait(avatar, size, zoom=2.5)) as renderer:
        pictures = [
            captioned(picture, f"{target} {share:g}")
            for picture, (target, share) in zip(
                renderer.frames(poses), product(ARKIT_NAMES, (0.5, 1.0)), strict=True
            )
        ]
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(sheet(pictures, columns=10)).save(path, quality=64, optimize=True)
    print(f"wrote {path}")


def held(target: str, share: float) -> FacePose:
    """Return the face of one target, with the gaze that lids expect."""
    named = {target: share} if target != "mouthClose" else {target: 0.6 * share, "jawOpen": 0.6 * share}
    gaze = np.zeros((2, 2), np.float32)
    for look, (axis, degrees) in LOOKS.items():
        if target.startswith(f"eyeLook{look}"):
            side = int(target.endswith("Right"))
            gaze[side, axis] = np.radians(degrees) * share * (-1 if side and axis == 0 else 1)
    return FacePose(weights(named), gaze=gaze)


def captioned(picture: Any, text: str) -> Any:
    image = Image.fromarray(picture)
    ImageDraw.Draw(image).text((3, 1), text, fill=(255, 255, 255))
    return np.asarray(image)


if __name__ == "__main__":
    if "--targets" in sys.argv:
        targets(*(word for word in sys.argv[1:] if word != "--targets"))
    elif "--people" in sys.argv:
        everybody(*(word for word in sys.argv[1:] if word != "--people"))
    else:
        main(*sys.argv[1:])
