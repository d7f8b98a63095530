"""The contact sheet of hair styles, beards, glasses and outfits, each from five sides.

python benchmarks/styles.py [docs/pictures/styles.jpg]
"""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

import numpy as np
from PIL import Image

from mien.avatar import Avatar
from mien.avatar.build.assemble import build
from mien.avatar.build.person import read_person
from mien.avatar.render import Camera, SoftwareRenderer, sheet, warm_up
from mien.face.pose import FacePose, weights

SIDE, ZOOM = 156, 1.12
ANGLES = ((0, 0), (-45, 0), (45, 0), (0, 12), (0, -12))  # yaw, pitch
# person, hair, outfit, beard, glasses
LOOKS = (
    ("kwame", "bald", "blazer", "full", "none"),
    ("joe", "buzz", "sweater", "goatee", "none"),
    ("kenji", "short", "blazer", "none", "square"),
    ("omar", "receding", "blouse", "moustache", "none"),
    ("kwame", "afro", "turtleneck", "none", "none"),
    ("amara", "curls", "jacket", "none", "none"),
    ("ava", "bob", "jacket", "none", "round"),
    ("xiaoxiao", "long", "sweater", "none", "none"),
    ("greta", "wavy", "blouse", "none", "none"),
    ("priya", "bun", "scrubs", "none", "none"),
)


def _quiet(share: float, what: str) -> None:
    del share, what


def dressed(name: str, hair: str, outfit: str, beard: str, glasses: str) -> Avatar:
    """Return a built-in person with other hair, clothes, beard and glasses."""
    person = read_person(name)
    return build(
        dataclasses.replace(
            person,
            hair=dataclasses.replace(person.hair, style=hair),
            clothes=dataclasses.replace(person.clothes, outfit=outfit),
            beard=dataclasses.replace(person.beard, style=beard, color=person.hair.root),
            glasses=dataclasses.replace(person.glasses, frame=glasses),
        ),
        _quiet,
    )


def main(file: str = "docs/pictures/styles.jpg") -> None:
    """Draw the sheet: a look in each column, a side in each row."""
    warm_up()
    columns = []
    for look in LOOKS:
        avatar, size = dressed(*look), (2 * SIDE, 2 * SIDE)
        poses = [
            FacePose(weights({}), np.radians([yaw, pitch, 0]).astype(np.float32)) for yaw, pitch in ANGLES
        ]
        with SoftwareRenderer(avatar, size, camera=Camera.portrait(avatar, size, zoom=ZOOM)) as renderer:
            columns.append(list(renderer.frames(poses)))
        print(*look, sum(len(part.triangles) for part in avatar.parts), "triangles")
    pictures = [columns[i][k] for k in range(len(ANGLES)) for i in range(len(LOOKS))]
    whole = Image.fromarray(sheet(pictures, columns=len(LOOKS)))
    whole = whole.resize((whole.width // 2, whole.height // 2), Image.Resampling.LANCZOS)
    whole.save(file, quality=82, optimize=True)
    print(f"wrote {file} ({Path(file).stat().st_size / 1000:.0f} kB)")


if __name__ == "__main__":
    main(*sys.argv[1:])
