"""A Whisper model ready to run: sound → what the decoder reads; tokens → logits, with a cache."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mien import engine, packs
from mien.audio.pcm import Samples
from mien.contents import contents
from mien.engine import Engine, cache
from mien.engine.backends import onnxruntime
from mien.engine.runtime import Machine, Settings
from mien.engine.stop import Stop
from mien.errors import CorruptError, require
from mien.speech.listening.whisper import vocabulary
from mien.speech.listening.whisper.mel import HOP, RATE_HZ, log_mel
from mien.speech.listening.whisper.vocabulary import Vocabulary

if TYPE_CHECKING:
    from onnx import ModelProto

Floats = NDArray[np.float32]

RECIPE = "whisper-2"  # the version of what graph.py makes
STATE = 2 * HOP  # samples that one state of the encoder stands for: 20 ms
LONGEST_S = 30.0
_STEP = 8 * STATE  # samples: the silence behind a sound begins at such a place (`graph.STRIDE`)
_BEHIND_S = 0.3  # of silence are encoded with the sound at least: the first differs from all that follows


@dataclass(slots=True)
class Heard:
    """What the decoder reads of a sound, and what it has already written: one decoding's state.

    `keys (L, H, D, T)`, `values (L, H, T, D)`, `bias (T)` of the sound and the silence behind it;
    `past_keys` and `past_values (L, H, p, D)` of the `p` tokens so far; `attention (A, n, T)` of each step.
    """

    keys: Floats
    values: Floats
    bias: Floats
    past_keys: Floats
    past_values: Floats
    attention: list[Floats] = field(default_factory=list)

    @property
    def length(self) -> int:
        """How many tokens are in the cache."""
        return int(self.past_keys.shape[2])

    def forget(self, tokens: int) -> None:
        """Take the last `tokens` out of the cache again."""
        if tokens > 0:
            self.past_keys = self.past_keys[:, :, :-tokens]
            self.past_values = self.past_values[:, :, :-tokens]
            self.attention[-1] = self.attention[-1][:, :-tokens]


@dataclass(frozen=True)
class Config:
    """What a model's `config.json` says: tokens that are no words, and the heads that follow the sound."""

    suppressed: tuple[int, ...]
    suppressed_first: tuple[int, ...]
    alignment_heads: tuple[tuple[int, int], ...]


class WhisperModel:
    """The engines of one Whisper model; shared by all who listen with it."""

    def __init__(self, encoder: Engine, decoder: Engine, words: Vocabulary, config: Config) -> None:
        self.vocabulary = words
        self.config = config
        self._encoder, self._decoder = encoder, decoder
        (port,) = encoder.inputs
        self.mels = int(str(port.shape[1]))

    @classmethod
    def load(cls, name: str, threads: int = 0) -> WhisperModel:
        """Load a pack (`whisper-tiny-en`); its ONNX models are made the first time.

        Raises `MissingError` or `CorruptError`.
        """
        return cls.open(packs.path(name), threads)

    @classmethod
    def open(cls, folder: Path, threads: int = 0) -> WhisperModel:
        """Load a folder with `model.bin`, `tokenizer.json` and `config.json`."""
        config = read_config(folder / "config.json")
        words = vocabulary.read(folder / "tokenizer.json")
        weights = folder / "model.bin"
        made = cache.derive(weights, RECIPE, lambda: _build(weights, config))
        machine = Machine(threads=threads or _threads())
        settings = Settings(ring_bytes=0)  # what the decoder keeps has another shape at each token
        encoder, decoder = (
            engine.load(made / f"{part}.onnx", machine=machine, settings=settings)
            for part in ("encoder", "decoder")
        )
        return cls(encoder, decoder, words, config)

    def hear(self, samples: Samples, window_s: float, stop: Stop | None = None) -> Heard:
        """Encode 16 kHz `samples`; raises `Stopped`.

        The silence behind them up to `window_s` is encoded with them; the rest, up to 30 s, is known.
        """
        if len(samples) > LONGEST_S * RATE_HZ:
            raise ValueError(f"{len(samples) / RATE_HZ:.1f} s of sound, 30 s are the most at once")
        wanted = max(len(samples) + round(_BEHIND_S * RATE_HZ), round(window_s * RATE_HZ))
        length = min(-(-wanted // _STEP) * _STEP, round(LONGEST_S * RATE_HZ) // _STEP * _STEP)
        mel = log_mel(np.pad(samples, (0, max(0, length - len(samples))))[:length], self.mels, even=True)
        out = self._encoder.run(stop, mel=mel[None])
        layers, heads, depth, _ = out["keys"].shape
        nothing = np.zeros((layers, heads, 0, depth), np.float32)
        return Heard(out["keys"], out["values"], out["bias"], nothing, nothing)

    def read(self, heard: Heard, tokens: Sequence[int], stop: Stop | None = None) -> Floats:
        """Put tokens into the cache; return the logits `(n, vocabulary)` of what follows each."""
        out = self._decoder.run(
            stop,
            tokens=np.array(tokens, np.int64),
            past_keys=np.ascontiguousarray(heard.past_keys),
            past_values=np.ascontiguousarray(heard.past_values),
            keys=heard.keys,
            values=heard.values,
            bias=heard.bias,
        )
        heard.past_keys, heard.past_values = out["new_keys"], out["new_values"]
        heard.attention.append(out["attention"])
        return np.asarray(out["logits"], np.float32)


def _threads() -> int:
    """Half of the cores: the turn model, and voices of others, run beside it."""
    return max(1, min(onnxruntime.usual_threads(), onnxruntime.usable_cores() // 2))


def read_config(path: Path) -> Config:
    """Read `config.json`; raises `MissingError` or `CorruptError`."""
    try:
        table: Mapping[str, Any] = json.loads(contents(path, "Whisper configuration", "pull its pack again"))
        heads = tuple((int(layer), int(head)) for layer, head in table["alignment_heads"])
        first, others = (tuple(map(int, table[key])) for key in ("suppress_ids_begin", "suppress_ids"))
    except (ValueError, KeyError, TypeError) as error:
        raise CorruptError(f"{path} is no configuration of Whisper: {error}; pull its pack again") from None
    return Config(others, first, heads)


def _build(path: Path, config: Config) -> Mapping[str, ModelProto]:
    require("onnx", extra="voice")
    from mien.speech.listening.whisper import graph, weights

    def run(model: ModelProto, mel: Floats) -> Mapping[str, Floats]:
        return onnxruntime.parse(model.SerializeToString(), name="Whisper encoder").run(mel=mel)

    return graph.build(weights.read(path), config.alignment_heads, run)
