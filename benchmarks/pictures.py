"""The pictures of the documentation: each person in five visemes, and in three moments of real speech.

python benchmarks/pictures.py [docs/pictures]
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from PIL import Image

from mien import Persona
from mien.avatar import load
from mien.avatar.render import Camera, SoftwareRenderer, sheet, warm_up
from mien.face import Animator, FacePose, FaceTrack
from mien.face.phone import Phone

PEOPLE = {"ava": "ava", "joe": "joe"}
VISEMES = ("ɑ", "i", "u", "m", "f")
TEXT = "How wonderful to see you. Five more people came by boat, maybe from the farm."
SIDE = 384


def held(symbol: str) -> FacePose:
    """Return the face in the middle of a phoneme that is held for a quarter of a second."""
    animator = Animator(1000, energy=0.5)
    animator.feed([Phone("", 0, 400), Phone(symbol, 400, 700, 2), Phone("", 700, 1200)])
    return animator.finish(1200).at(0.56)


async def moments(persona: Persona) -> list[FacePose]:
    """Return three faces of a sentence, at phones that differ."""
    chunks = [chunk async for chunk in persona.stream(TEXT)]
    track = FaceTrack.join([chunk.face for chunk in chunks if len(chunk.face)])
    rate, phones = chunks[0].pcm.rate_hz, [phone for chunk in chunks for phone in chunk.phones]
    faces = [(phone.symbol, track.at((phone.start + phone.end) / 2 / rate)) for phone in phones[4:]]
    groups = ({"a", "ɑː", "æ", "ʌ", "aɪ", "aʊ"}, {"uː", "u", "w", "oʊ"}, {"p", "b", "m"})
    return [
        next(face for symbol, face in faces if symbol in group and face.weights[0] < 0.2) for group in groups
    ]


def save(pictures: list, columns: int, file: Path) -> None:
    Image.fromarray(sheet(pictures, columns=columns)).save(file, quality=86, optimize=True)
    print(f"wrote {file} ({file.stat().st_size / 1000:.0f} kB)")


def main(folder: str = "docs/pictures") -> None:
    warm_up()
    visemes, speaking = [], []
    for person, persona in PEOPLE.items():
        avatar, size = load(person), (SIDE, SIDE)
        with SoftwareRenderer(avatar, size, camera=Camera.portrait(avatar, size, zoom=1.5)) as renderer:
            visemes += list(renderer.frames([held(symbol) for symbol in VISEMES]))
        with SoftwareRenderer(avatar, size) as renderer:
            speaking += list(renderer.frames(asyncio.run(moments(Persona.load(persona)))))
    save(visemes, len(VISEMES), Path(folder) / "visemes.jpg")
    save(speaking, 3, Path(folder) / "speaking.jpg")


if __name__ == "__main__":
    main(*sys.argv[1:])
