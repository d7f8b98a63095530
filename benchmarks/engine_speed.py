"""The voices' models as mien runs them beside the files as they come, under ONNX Runtime's defaults.

    python benchmarks/engine_speed.py KOKORO.onnx VOICE.onnx --threads 1,2

All engines of a row take turns in one process; a row is one sentence (then two), from symbols to sound.
Times are for a second of sound: a Piper file as it comes draws its own durations. `-` leaves a file out.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import mien.engine
from latents import SENTENCES
from mien.engine.backends import onnxruntime
from mien.engine.metrics import LogMel
from mien.engine.runtime import Machine
from mien.engine.stop import Stop
from mien.engine.timing import come_to_rest
from mien.speech.breath import Breath, Piece
from mien.speech.phonemes.piper import transcribe
from mien.speech.voices import kokoro_model, piper_config, piper_model
from mien.speech.voices.piper import PiperVoice
from utterances import utterance

TEXTS = (SENTENCES[0], " ".join(SENTENCES[:2]))
COLUMNS = (
    "model",
    "threads",
    "sound s",
    "as it comes",
    "float",
    "mien",
    "median",
    "times as fast",
    "log-mel dB",
)
Speak = Callable[[], np.ndarray]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kokoro")
    parser.add_argument("piper")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--seconds", type=float, default=12.0, help="a row")
    given = parser.parse_args()
    print("| " + " | ".join(COLUMNS) + " |\n| --- |" + " ---: |" * (len(COLUMNS) - 1))
    for threads in map(int, given.threads.split(",")):
        if given.kokoro != "-":
            kokoro(Path(given.kokoro), threads, given.seconds)
        if given.piper != "-":
            piper(Path(given.piper), threads, given.seconds)


def kokoro(path: Path, threads: int, seconds: float) -> None:
    engines = {
        "plain": onnxruntime.plain(path, threads=threads),
        "float": loaded(kokoro_model.prepared(path) / "kokoro.onnx", threads),
        "mien": loaded(kokoro_model.prepared(path, quantised=True) / "kokoro.onnx", threads),
    }
    for text in TEXTS:
        sample = utterance(path, text, "af_heart")
        speaks = {name: spoken(engine, sample) for name, engine in engines.items()}
        distance = LogMel(kokoro_model.RATE_HZ)
        distance.add(speaks["float"](), speaks["mien"]())
        row("Kokoro", threads, speaks, kokoro_model.RATE_HZ, seconds, f"{distance.value:.2f}")


def piper(path: Path, threads: int, seconds: float) -> None:
    config, folder = piper_config.read(path), piper_model.prepared(path, threads)
    front, decoder = (loaded(folder / f"{name}.onnx", threads) for name in ("front", "decoder"))
    model, plain = piper_model.PiperModel(config, front, decoder), onnxruntime.plain(path, threads=threads)
    for text in TEXTS:
        pieces = (Piece(text, "en"),)
        sentence = PiperVoice(model)._spell(Breath(pieces), transcribe(pieces, config.language)).sentence
        inputs = piper_model._inputs(config, sentence, piper_model._drawn())
        sample = {"input": inputs["ids"], "input_lengths": inputs["lengths"], "scales": inputs["scales"]}

        def whole(sentence: piper_model.Sentence = sentence) -> np.ndarray:
            return np.concatenate(list(model.speak(sentence, Stop()).windows([1 << 20])))

        speaks = {"plain": lambda sample=sample: plain.run(**sample)["output"].reshape(-1), "mien": whole}
        row("Piper, joe", threads, speaks, config.rate_hz, seconds, "")


def loaded(path: Path, threads: int) -> mien.engine.Engine:
    return mien.engine.load(path, machine=Machine(threads=threads))


def spoken(engine: mien.engine.Engine, sample: dict[str, np.ndarray]) -> Speak:
    given = {port.name: sample[port.name] for port in engine.inputs}
    return lambda: engine.run(**given)["audio"].reshape(-1)


def row(
    name: str, threads: int, speaks: dict[str, Speak], rate_hz: int, seconds: float, quality: str
) -> None:
    """Print the best and the median time of each, ms for a second of sound."""
    taken: dict[str, list[float]] = {label: [] for label in speaks}
    for speak in speaks.values():
        speak()
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(taken["mien"]) < 3:
        for label, speak in speaks.items():
            come_to_rest()
            began = time.perf_counter()
            sound_s = speak().size / rate_hz
            taken[label].append(1e3 * (time.perf_counter() - began) / sound_s)
    best = {label: min(each) for label, each in taken.items()}
    middle = {label: statistics.median(each) for label, each in taken.items()}
    cells = [name, str(threads), f"{sound_s:.1f}", f"{best['plain']:.0f}"]
    cells += [f"{best['float']:.0f}" if "float" in best else "", f"{best['mien']:.0f}"]
    cells += [f"{middle['plain']:.0f} / {middle['mien']:.0f}", f"{best['plain'] / best['mien']:.2f}", quality]
    print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
