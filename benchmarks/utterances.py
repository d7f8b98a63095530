"""Sentences as Kokoro takes them, as samples: python benchmarks/utterances.py KOKORO.onnx OUT.npz [COUNT [N]]

Sample i is sentence i of forty (see latents.py) in the i-th of eight voices, shortened to its first `WORDS`
words so that many fit into a few minutes; with N, that many whole sentences from there on. `vocab.json` and
the folder `voices` lie beside the model.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from latents import SENTENCES
from mien.atomic import replacing
from mien.speech.breath import Piece
from mien.speech.phonemes.kokoro import transcribe
from mien.speech.voices import kokoro_model, kokoro_styles

WORDS = 5
VOICES = ("af_heart", "am_michael", "bf_emma", "bm_george", "af_bella", "am_fenrir", "af_nicole", "am_puck")


def utterance(model: Path, text: str, voice: str) -> dict[str, np.ndarray]:
    """The model's inputs for one sentence."""
    vocabulary = kokoro_model.read_vocabulary(model.with_name("vocab.json"))
    symbols = transcribe([Piece(text, "en-gb" if voice[0] == "b" else "en-us")]).symbols
    tokens = [0, *(vocabulary.get(symbol, vocabulary[" "]) for symbol in symbols), 0]
    styles = kokoro_styles.read(model.parent / "voices" / f"{voice}.bin")
    return {
        "tokens": np.array([tokens], np.int64),
        "style": styles[min(len(symbols), len(styles) - 1)][None],
        "speed": np.ones(1, np.float32),
        "stretch": np.ones((1, len(tokens)), np.float32),
    }


def main() -> None:
    model, out = Path(sys.argv[1]), Path(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 40
    whole = int(sys.argv[4]) if len(sys.argv) > 4 else 0  # sentences in each; 0: the first words of one
    arrays = {}
    for place in range(count):
        first = SENTENCES[place % len(SENTENCES)]
        text = " ".join((SENTENCES * 2)[place : place + whole]) or " ".join(first.split()[:WORDS])
        for name, value in utterance(model, text, VOICES[place % len(VOICES)]).items():
            arrays[f"{name}@{place}"] = value
    with replacing(out) as aside, aside.open("wb") as file:
        np.savez(file, **arrays)
    print(f"made {out}: {count} sentences")


if __name__ == "__main__":
    main()
