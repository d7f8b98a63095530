"""The twenty shapes of the mouth that speech shows most, as a sheet.

They are found in what the animator makes of a page of English and one of Mandarin, plain and friendly, at
60 Hz: the mouth's weights are parted into twenty groups (k-means), and of each the frame nearest to its
middle is drawn, those of the largest group first.

python benchmarks/mouths.py [NAME,NAME,NAME] [pixels] [out/mouths.jpg]
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PIL import Image
from scipy.cluster.vq import kmeans2

from combinations import faces, stem
from looks import captioned
from mien.avatar import Avatar, load
from mien.avatar.render import Camera, SoftwareRenderer, sheet, warm_up
from mien.face.feeling import Emotion
from mien.face.pose import ARKIT_NAMES, FacePose
from mien.face.visemes import articulator_of_units

SHAPES, COLUMNS = 20, 10
MOODS = (Emotion(), Emotion("happy", 0.5))
MOUTH = articulator_of_units() >= 0
NAMED = 0.08  # weights below are not told


def shapes() -> list[tuple[np.ndarray, float]]:
    """Return the weights (52,) of each shape, and the share of frames that look most like it."""
    rows = np.concatenate(list(faces(MOODS)))
    middles, group = kmeans2(rows[:, MOUTH], SHAPES, minit="++", seed=1, iter=50)
    found = []
    for index, middle in enumerate(middles):
        members = rows[group == index]
        nearest = members[np.linalg.norm(members[:, MOUTH] - middle, axis=1).argmin()]
        found.append((np.where(MOUTH, nearest, 0).astype(np.float32), len(members) / len(rows)))
    return sorted(found, key=lambda shape: -shape[1])


def mouth(avatar: Avatar) -> Camera:
    """Return a camera that shows the face from the nose to the chin."""
    skin = next(part for part in avatar.parts if part.name == "skin")
    opened = skin.positions[skin.morphs["mouthPucker"].indices]
    middle = float(np.median(opened[:, 1]))
    return Camera((0.0, middle * 0.5, 1.15), (0.0, middle, 0.03), 0.105)


def told(weights: np.ndarray) -> str:
    """Return a shape's weights in words, strongest first."""
    most: dict[str, float] = {}
    for name, weight in zip(ARKIT_NAMES, weights, strict=True):
        if weight >= NAMED:
            most[stem(name)] = max(float(weight), most.get(stem(name), 0.0))
    return ", ".join(
        f"`{name}` {most[name]:.2f}" for name in sorted(most, key=most.__getitem__, reverse=True)
    )


def main(names: str = "ava,joe,kwame", pixels: str = "148", file: str = "out/mouths.jpg") -> None:
    """Print the shapes and draw them, ten a row, each row of ten once for every person."""
    warm_up()
    drawn, size, found = [], (int(pixels), int(pixels)), shapes()
    for number, (weights, share) in enumerate(found, 1):
        print(f"| {number} | {share:.0%} | {told(weights) or 'at rest'} |")
    for name in names.split(","):
        avatar = load(name)
        with SoftwareRenderer(avatar, size, camera=mouth(avatar)) as renderer:
            drawn.append([picture.copy() for picture in renderer.frames(FacePose(w) for w, _ in found)])
    rows = [row[at : at + COLUMNS] for at in range(0, SHAPES, COLUMNS) for row in drawn]
    numbers = [n for at in range(0, SHAPES, COLUMNS) for _ in drawn for n in range(at + 1, at + COLUMNS + 1)]
    pictures = [captioned(p, str(n)) for p, n in zip((p for row in rows for p in row), numbers, strict=True)]
    Path(file).parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(sheet(pictures, columns=COLUMNS)).save(file, quality=82, optimize=True)
    print(f"wrote {file}")


if __name__ == "__main__":
    main(*sys.argv[1:])
