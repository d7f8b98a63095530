"""The voices' models as mien runs them beside the files as they come, under ONNX Runtime's defaults.

    python benchmarks/engine_speed.py kokoro-v1.0.int8.onnx en_US-joe-medium.onnx

All engines of a row take turns in one process; a row is one sentence, from symbols to sound.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from latents import SENTENCES
from mien.engine.backends import onnxruntime
from mien.engine.metrics import LogMel
from mien.engine.stop import Stop
from mien.engine.timing import side_by_side
from mien.speech.breath import Breath, Piece
from mien.speech.phonemes.piper import transcribe
from mien.speech.voices import kokoro_model, piper_model
from mien.speech.voices.piper import PiperVoice
from utterances import utterance

SECONDS = 8.0
TEXTS = (SENTENCES[0], " ".join(SENTENCES[:2]))


class Whole:
    """A Piper voice's parts as one engine: sentence in, sound out."""

    inputs = ()

    def __init__(self, model: piper_model.PiperModel, sentence: piper_model.Sentence) -> None:
        self._model, self._sentence = model, sentence

    def run(self, stop: Stop | None = None, /, **_inputs: np.ndarray) -> dict[str, np.ndarray]:
        speech = self._model.speak(self._sentence, Stop())
        return {"audio": np.concatenate(list(speech.windows([1 << 20])))}


def main() -> None:
    kokoro, joe = Path(sys.argv[1]), Path(sys.argv[2])
    print(
        "| model | sound s | as it comes, ms | float, ms | as mien runs it, ms | times as fast | log-mel dB |"
    )
    print("| --- |" + " ---: |" * 6)
    engines = {
        "plain": onnxruntime.plain(kokoro),
        "float": onnxruntime.load(kokoro_model.prepared(kokoro) / "kokoro.onnx"),
        "mien": onnxruntime.load(kokoro_model.prepared(kokoro, quantised=True) / "kokoro.onnx"),
    }
    for text in TEXTS:
        row("Kokoro", engines, utterance(kokoro, text, "af_heart"), kokoro_model.RATE_HZ)
    del engines
    model, plain = piper_model.PiperModel.load(joe), onnxruntime.plain(joe)
    for text in TEXTS:
        pieces = (Piece(text, "en"),)
        spelling = PiperVoice(model)._spell(Breath(pieces), transcribe(pieces, model.config.language))
        given = piper_model._inputs(model.config, spelling.sentence, piper_model._drawn())
        sample = {"input": given["ids"], "input_lengths": given["lengths"], "scales": given["scales"]}
        row("Piper, joe", {"plain": plain, "mien": Whole(model, spelling.sentence)}, sample, 22_050)


def row(name: str, engines: dict, sample: dict, rate_hz: int) -> None:
    times = {label: each.best_ms for label, each in side_by_side(engines, sample, seconds=SECONDS).items()}
    sound = made(engines["mien"], sample)
    quality = ""
    if "float" in engines:
        distance = LogMel(rate_hz)
        distance.add(made(engines["float"], sample), sound)
        quality = f"{distance.value:.2f}"
    cells = [f"{len(sound) / rate_hz:.1f}", f"{times['plain']:.0f}"]
    cells += [f"{times['float']:.0f}" if "float" in times else "", f"{times['mien']:.0f}"]
    print(
        "| " + " | ".join([name, *cells, f"{times['plain'] / times['mien']:.2f}", quality]) + " |", flush=True
    )


def made(engine, sample: dict) -> np.ndarray:
    return engine.run(**{port.name: sample[port.name] for port in engine.inputs})["audio"].reshape(-1)


if __name__ == "__main__":
    main()
