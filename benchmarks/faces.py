"""Faces as samples for MediaPipe's face mesh: python benchmarks/faces.py OUT.npz [COUNT] [PICTURE ...]

Without pictures: the photograph of pack `samples`. Each sample is a face as the tracker cuts it, in another
scale, turn, place and light; what is varied is what video does.

    python benchmarks/faces.py faces.npz 80
    mien compile face_landmark.tflite --precision int8 --data faces.npz --budget landmarks=1.0
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PIL import Image

from mien import packs
from mien.atomic import replacing
from mien.vision.detector import FaceDetector

SIZE = 192


def faces(pictures: list[Path], count: int) -> np.ndarray:
    """`(count, 1, 192, 192, 3)`, RGB from 0 to 1."""
    detect, draw = FaceDetector(), np.random.default_rng(0)
    found = []
    for path in pictures:
        picture = np.asarray(Image.open(path).convert("RGB"))
        found += [(picture, seen.region) for seen in detect(picture)]
    made = []
    for place in range(count):
        picture, region = found[place % len(found)]
        scale, turn = draw.uniform(0.85, 1.2), draw.uniform(-0.35, 0.35)
        cut = region.varied(scale, turn, draw.uniform(-0.08, 0.08)).cut(picture, SIZE)
        if draw.random() < 0.5:
            cut = cut[:, ::-1]
        light = (cut / 255.0) ** draw.uniform(0.6, 1.6) * draw.uniform(0.5, 1.0, 3)
        made.append(light[None].astype(np.float32))
    return np.stack(made)


def main() -> None:
    out = Path(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 80
    pictures = [Path(path) for path in sys.argv[3:]] or [packs.path("samples") / "astronaut.png"]
    with replacing(out) as aside, aside.open("wb") as file:
        np.savez(file, input_1=faces(pictures, count))
    print(f"made {out}: {count} faces")


if __name__ == "__main__":
    main()
