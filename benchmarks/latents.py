"""Latents of a Piper voice as samples for its vocoder: python benchmarks/latents.py VOICE.onnx OUT.npz

Each sample is a window of 96 frames (1.1 s) of one of forty sentences (IEEE, Recommended practice for speech
quality measurements, 1969). Sample i is of sentence i % 40: each fifth sample, held out by `mien compile`,
is of sentences that no other sample is of.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from mien.atomic import replacing
from mien.engine.stop import Stop
from mien.speech.breath import Breath, Piece
from mien.speech.phonemes.piper import transcribe
from mien.speech.voices.piper import PiperVoice
from mien.speech.voices.piper_model import PiperModel

FRAMES = 96
SENTENCES = """\
The birch canoe slid on the smooth planks.
Glue the sheet to the dark blue background.
It is easy to tell the depth of a well.
These days a chicken leg is a rare dish.
Rice is often served in round bowls.
The juice of lemons makes fine punch.
The box was thrown beside the parked truck.
The hogs were fed chopped corn and garbage.
Four hours of steady work faced us.
A large size in stockings is hard to sell.
The boy was there when the sun rose.
A rod is used to catch pink salmon.
The source of the huge river is the clear spring.
Kick the ball straight and follow through.
Help the woman get back to her feet.
A pot of tea helps to pass the evening.
Smoky fires lack flame and heat.
The soft cushion broke the man's fall.
The salt breeze came across from the sea.
The girl at the booth sold fifty bonds.
The small pup gnawed a hole in the sock.
The fish twisted and turned on the bent hook.
Press the pants and sew a button on the vest.
The swan dive was far short of perfect.
The beauty of the view stunned the young boy.
Two blue fish swam in the tank.
Her purse was full of useless trash.
The colt reared and threw the tall rider.
It snowed, rained, and hailed the same morning.
Read verse out loud for pleasure.
Hoist the load to your left shoulder.
Take the winding path to reach the lake.
Note closely the size of the gas tank.
Wipe the grease off his dirty face.
Mend the coat before you go out.
The wrist was badly strained and hung limp.
The stray cat gave birth to kittens.
The young girl gave no clear response.
The meal was cooked before the bell rang.
What joy there is in living.""".splitlines()


def latent(model: PiperModel, text: str) -> np.ndarray:
    """The latent `(192, frames)` of one sentence."""
    voice = PiperVoice(model)
    pieces = (Piece(text, "en"),)
    spelling = voice._spell(Breath(pieces), transcribe(pieces, model.config.language))
    windows = model.speak(spelling.sentence, Stop()).windows
    return windows._latent[0]  # the vocoder's input is nobody else's business


def windows(voice: Path, count: int, frames: int = FRAMES) -> np.ndarray:
    """`count` windows `(count, 1, 192, frames)`."""
    model = PiperModel.load(voice)
    latents = [latent(model, text) for text in SENTENCES]
    made = []
    for place in range(count):
        whole = latents[place % len(latents)]
        room = max(1, whole.shape[1] - frames)
        start = (place // len(latents) * 37) % room
        part = whole[:, start : start + frames]
        made.append(np.pad(part, ((0, 0), (0, frames - part.shape[1])), mode="edge")[None])
    return np.stack(made).astype(np.float32)


def main() -> None:
    voice, out = Path(sys.argv[1]), Path(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    with replacing(out) as aside, aside.open("wb") as file:
        np.savez(file, latent=windows(voice, count))
    print(f"made {out}: {count} windows of {FRAMES} frames")


if __name__ == "__main__":
    main()
