"""A Piper model ready to run: ids → durations and latent → windows of sound."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mien import engine
from mien.audio.pcm import Samples
from mien.engine import Engine, cache
from mien.engine.backends import onnxruntime
from mien.engine.engine import Tensor
from mien.engine.stop import Stop
from mien.errors import require
from mien.speech.voices.piper_config import BEGIN, END, PAD, PiperConfig, read
from mien.speech.voices.worker import QUEUED

if TYPE_CHECKING:
    from onnx import ModelProto

RECIPE = "piper-5"  # the version of what piper_graph makes
_SEED = 20_260
_TRIED = 8, 40  # symbols of the two sentences
_NOISE = 1 << 20  # values; enough for a minute of speech


@dataclass(frozen=True, slots=True)
class Sentence:
    """What a model is to say: `ids`, and how much longer each shall last (1 = as the model wants)."""

    ids: tuple[int, ...]
    stretch: tuple[float, ...]
    speaker: int = 0
    speed: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Speech:
    """A sentence whose length is known and whose sound comes window by window, almost at once.

    `durations` `(n,)`: samples an id; None when the model hides them. `windows`: takes the number of frames
    of each window and yields its samples.
    """

    durations: NDArray[np.int64] | None
    length: int
    windows: Callable[[Iterable[int]], Iterator[Samples]]


class PiperModel:
    """The engines of one voice file; shared by all who speak with it."""

    def __init__(self, config: PiperConfig, front: Engine, decoder: Engine | None) -> None:
        self.config = config
        self._front = front
        self._decoder = decoder
        self._takes = {port.name for port in front.inputs}
        self._noise = _drawn()

    @classmethod
    def load(cls, path: Path) -> PiperModel:
        """Cut the model (the first time) and load its parts; raises `MissingError` or `CorruptError`."""
        config = read(path)
        folder = prepared(path)
        whole = folder / "whole.onnx"
        if whole.is_file():
            return cls(config, engine.load(whole, settings=QUEUED), None)
        front, decoder = (
            engine.load(folder / f"{name}.onnx", settings=QUEUED) for name in ("front", "decoder")
        )
        return cls(config, front, decoder)

    def speak(self, sentence: Sentence, stop: Stop) -> Speech:
        """Compute everything but the sound; raises `Stopped`."""
        out = self._front.run(stop, **self._inputs(sentence))
        if self._decoder is None:
            sound = out["audio"].reshape(-1)
            return Speech(_samples(out, len(sound)), len(sound), lambda _: iter((sound,)))
        windows = _Windows(self._decoder, out["latent"], sentence.speaker, stop)
        durations = _samples(out, windows.length)
        if durations is not None:  # the model begins with 12 to 60 ms of silence that no listener needs
            durations[0] -= windows.skip(int(durations[0]))
        return Speech(durations, windows.length, windows)

    def _inputs(self, sentence: Sentence) -> dict[str, Tensor]:
        inputs = _inputs(self.config, sentence, self._noise)
        return {name: value for name, value in inputs.items() if name in self._takes}


class _Windows:
    """The vocoder on a latent `(1, c, frames)`, window by window with its context on both sides."""

    def __init__(self, decoder: Engine, latent: NDArray[np.float32], speaker: int, stop: Stop) -> None:
        self._decoder, self._latent, self._stop = decoder, latent, stop
        self._hop, self._context = (int(decoder.metadata[name]) for name in ("hop", "context"))
        self.length, self._start = latent.shape[2] * self._hop, 0
        self._more: dict[str, Tensor] = {}
        if "speaker" in {port.name for port in decoder.inputs}:
            self._more["speaker"] = np.array([speaker], np.int64)

    def skip(self, silence: int) -> int:
        """Begin where the first `silence` samples end, in whole frames; return the samples left out."""
        self._start = silence // self._hop
        self.length -= self._start * self._hop
        return self._start * self._hop

    def __call__(self, sizes: Iterable[int]) -> Iterator[Samples]:
        start = self._start
        for size in sizes:
            if start >= self._latent.shape[2]:
                return
            yield self._decode(start, start + size)
            start += size

    def _decode(self, start: int, end: int) -> Samples:
        first = max(0, start - self._context)
        part = np.ascontiguousarray(self._latent[:, :, first : end + self._context])
        sound = self._decoder.run(self._stop, latent=part, **self._more)["audio"].reshape(-1)
        return np.asarray(sound[(start - first) * self._hop : (end - first) * self._hop], np.float32)


def _samples(out: Mapping[str, Tensor], length: int) -> NDArray[np.int64] | None:
    """Return each id's duration in samples, from frames and the length of the sound they make."""
    if "durations" not in out:
        return None
    frames = out["durations"].reshape(-1).astype(np.int64)
    return np.asarray(frames * (length // max(1, int(frames.sum()))), np.int64)


def prepared(path: Path, threads: int = 0) -> Path:
    """Return the folder of a model's parts, made the first time: `front` and `decoder`, or `whole`.

    `threads`: those that will run it; 0 takes as many as an engine takes by itself. Raises `MissingError`
    without the model or its configuration, `CorruptError` when one is broken.
    """
    config = read(path)
    threads = threads or onnxruntime.usual_threads()
    return cache.derive(path, f"{RECIPE}-t{threads}", lambda: _split(path, config, threads))


def _split(path: Path, config: PiperConfig, threads: int) -> Mapping[str, ModelProto]:
    require("onnx", extra="voice")
    from mien.engine import graph
    from mien.engine.simplify import simplify
    from mien.speech.voices import piper_graph

    parts = piper_graph.split(graph.load(path), threads)
    if "front" in parts:
        takes = {info.name for info in parts["front"].graph.input}
        samples = [_inputs(config, sentence, _drawn()) for sentence in _tried(config)]
        given = [{name: value for name, value in sample.items() if name in takes} for sample in samples]
        parts["front"] = simplify(parts["front"], given)
    return parts


def _tried(config: PiperConfig) -> list[Sentence]:
    """Return two sentences, of all the voice's symbols and of a few, to hold a changed model against."""
    pad = config.ids[PAD]
    symbols = sorted(set(config.ids) - {PAD, BEGIN, END})
    made = []
    for chosen in (symbols[: _TRIED[0]], symbols[:: max(1, len(symbols) // _TRIED[1])]):
        inner = [n for symbol in chosen for n in (*config.ids[symbol], *pad)]
        ids = (*config.ids[BEGIN], *inner, *config.ids[END])
        made.append(Sentence(ids, (1.0,) * len(ids)))
    return made


def _inputs(config: PiperConfig, sentence: Sentence, noise: NDArray[np.float32]) -> dict[str, Tensor]:
    scales = (config.noise, config.length / sentence.speed, config.noise_w)
    return {
        "ids": np.array([sentence.ids], np.int64),
        "lengths": np.array([len(sentence.ids)], np.int64),
        "scales": np.array(scales, np.float32),
        "speaker": np.array([sentence.speaker], np.int64),
        "noise": noise,
        "stretch": np.array([[sentence.stretch]], np.float32),
    }


def _drawn() -> NDArray[np.float32]:
    return np.random.default_rng(_SEED).standard_normal(_NOISE, np.float32)
