"""Ten seconds of each person speaking, as films and as sheets of their frames, to be looked at one by one.

python benchmarks/clips.py [--films] [NAME ...]      # writes out/clips/NAME.jpg, with --films NAME.mp4 too
python benchmarks/clips.py --docs docs/pictures/clips.jpg
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from mien import Persona, packs
from mien.avatar import load
from mien.avatar.render import Camera, SoftwareRenderer, sheet, warm_up
from mien.face import FaceTrack
from mien.face.feeling import Emotion
from mien.face.formats.npz import read
from mien.persona import Film

OUT = Path("out/clips")
SIDE, ZOOM = 320, 2.2  # as large as the face is in a picture of 720 rows
SHEET_FPS, COLUMNS = 5, 5
DOCS_SIDE, DOCS_AT = 150, np.linspace(0.6, 9.4, 10)


@dataclass(frozen=True, slots=True)
class Part:
    """What a person says: a Kokoro voice (none: the persona's), the mood, and the words."""

    persona: str
    voice: str | None
    mood: Emotion
    text: str


WELCOME = (
    "Good morning, and welcome to our house. Five of your friends came before you, and the others will be "
    "here by noon. Would you like a cup of coffee while you wait, or shall we have a look around?"
)
NEWS = (
    "Here is what we know so far. The bridge above the river was closed at five this morning, because of "
    "the flood. Most people found another way home, and nobody was hurt. We will tell you more at noon."
)
HELP = (
    "I am so sorry to hear that your parcel was lost. Please give me the number on the back of your form, "
    "and I will have a look at once. It may be that somebody put it aside for you."
)
BANK = (
    "你好，欢迎来到我们银行。请问您今天需要办理什么业务？"
    "如果要开户，请先准备好身份证，然后到二号窗口。我会一直在这里陪着您。"
)
PARTS = {
    "ava": Part("ava", None, Emotion("happy", 0.4), WELCOME),
    "joe": Part("joe", None, Emotion("neutral", 0.0), NEWS),
    "xiaoxiao": Part("xiaoxiao", None, Emotion("happy", 0.3), BANK),
    "amara": Part("ava", "af_bella", Emotion("happy", 0.8), WELCOME),
    "priya": Part("ava", "bf_emma", Emotion("sad", 0.6), HELP),
    "omar": Part("joe", "am_fenrir", Emotion("angry", 0.6), NEWS),
    "kenji": Part("joe", "am_michael", Emotion("surprised", 0.6), NEWS),
    "kwame": Part("joe", "bm_george", Emotion("happy", 0.5), WELCOME),
    "greta": Part("ava", "bf_isabella", Emotion("afraid", 0.5), HELP),
    "finn": Part("joe", "am_puck", Emotion("disgusted", 0.4), NEWS),
}


def track(name: str) -> FaceTrack:
    """Return the face of a person's clip, spoken once and kept."""
    part, file = PARTS[name], OUT / f"{name}.npz"
    if not file.is_file():
        persona(name).say_sync(part.text, to=[file, file.with_suffix(".wav")], emotion=part.mood)
    return read(file)


def persona(name: str) -> Persona:
    part = PARTS[name]
    voice = packs.path("kokoro") / "voices" / f"{part.voice}.bin" if part.voice else None
    return Persona.load(part.persona, voice=voice, avatar=name)


def film(name: str) -> None:
    """Write the clip as `mien say --avatar NAME` does."""
    part, file = PARTS[name], OUT / f"{name}.mp4"
    said = persona(name).say_sync(part.text, to=[file], emotion=part.mood, film=Film((640, 640)))
    print(f"wrote {file} ({said.speech_s:.1f} s)")


def frames(name: str, times: np.ndarray, side: int, zoom: float) -> list[np.ndarray]:
    avatar, size, face = load(name), (side, side), track(name)
    camera = Camera.portrait(avatar, size, zoom=zoom)
    with SoftwareRenderer(avatar, size, camera=camera) as renderer:
        return list(renderer.frames([face.at(float(time)) for time in times]))


def docs(file: str) -> None:
    """Draw ten moments of each clip, a person a row."""
    pictures = [picture for name in PARTS for picture in frames(name, DOCS_AT, DOCS_SIDE, 1.7)]
    Image.fromarray(sheet(pictures, columns=len(DOCS_AT))).save(file, quality=70, optimize=True)
    print(f"wrote {file}")


def main(names: list[str], *, films: bool) -> None:
    for name in names or PARTS:
        pictures = frames(name, np.arange(0.2, min(track(name).end_s, 10.2), 1 / SHEET_FPS), SIDE, ZOOM)
        per = COLUMNS * COLUMNS
        for page, first in enumerate(range(0, len(pictures), per)):
            target = OUT / f"{name}-{page + 1}.jpg"
            Image.fromarray(sheet(pictures[first : first + per], columns=COLUMNS)).save(target, quality=92)
            print(f"wrote {target}")
        if films:
            film(name)


if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    warm_up()
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    if "--docs" in sys.argv:
        docs(*words)
    else:
        main(words, films="--films" in sys.argv)
