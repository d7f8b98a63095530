"""A Kokoro model ready to run: symbols → sound, and where each symbol ends in it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mien import engine
from mien.audio.pcm import Samples
from mien.contents import contents
from mien.engine import Engine, cache
from mien.engine.machine import cpu_features
from mien.engine.stop import Stop
from mien.errors import CorruptError, require
from mien.speech.voices.worker import QUEUED

if TYPE_CHECKING:
    from onnx import ModelProto

    from mien.speech.voices.kokoro_styles import Styles

RECIPE = "kokoro-4"  # the version of what kokoro_graph makes
_PLAN = "int8-2"  # the version of the plans
RATE_HZ = 24_000
FRAME = 600  # samples of one unit of duration
MAX_TOKENS = 510  # without the two that enclose them
# The sound runs ahead of the model's own durations: the lag at which loudness fits the phones best, over
# 28 sentences of five voices, is 50 to 65 ms (docs/voices.md).
LEAD_S = 0.0575
LAST_S = 0.05
_AUDIBLE = 10 ** (-46 / 20)  # of the loudest 10 ms
_BLOCK = RATE_HZ // 100
_PLANS = Path(__file__).with_name("kokoro_int8.json")  # found by benchmarks/kokoro_plan.py


@dataclass(frozen=True, slots=True, eq=False)
class Spoken:
    """Sound of a run of symbols.

    `ends` `(n + 2,)`: where the silence before, each symbol, and the silence behind end, samples.
    """

    sound: Samples
    ends: NDArray[np.int64]

    def trimmed(self, before_s: float, after_s: float, last_letter: int = 0) -> Spoken:
        """Return at most so much silence before the first and behind the last sound.

        The model lets its last letter last through the silence: it ends where the sound does, yet keeps
        `LAST_S`. `last_letter` is its place in `ends`.
        """
        begin, end = audible(self.sound)
        if last_letter > 0:
            end = max(end, int(self.ends[last_letter - 1]) + round(LAST_S * RATE_HZ))
        first = max(0, begin - round(before_s * RATE_HZ))
        last = min(len(self.sound), end + round(after_s * RATE_HZ))
        ends = np.clip(self.ends, first, end) - first
        ends[-1] = last - first
        return Spoken(self.sound[first:last], ends)


class KokoroModel:
    """The engine of one model file; shared by all voices."""

    def __init__(self, engine: Engine, vocabulary: Mapping[str, int]) -> None:
        self._engine = engine
        self._vocabulary = vocabulary

    @classmethod
    def load(cls, path: Path, vocabulary: Path | None = None) -> KokoroModel:
        """Prepare the model (the first time) and load it; `vocabulary` is `vocab.json` beside it by default.

        Raises `MissingError`, `CorruptError` or, for another kind of model, `InputError`.
        """
        symbols = read_vocabulary(vocabulary or path.with_name("vocab.json"))
        file = prepared(path, quantised=True) / "kokoro.onnx"
        return cls(engine.load(file, settings=QUEUED), symbols)

    def speak(
        self, symbols: str, styles: Styles, speed: float, stretch: Sequence[float], stop: Stop
    ) -> Spoken:
        """Speak at most `MAX_TOKENS` symbols; `stretch` says how much longer each lasts. Raises `Stopped`."""
        space = self._vocabulary.get(" ", 0)
        tokens = [0, *(self._vocabulary.get(symbol, space) for symbol in symbols), 0]
        out = self._engine.run(
            stop,
            tokens=np.array([tokens], np.int64),
            style=styles[min(len(symbols), len(styles) - 1)][None],
            speed=np.array([speed], np.float32),
            stretch=np.array([[1.0, *stretch, 1.0]], np.float32),
        )
        sound = np.asarray(out["audio"].reshape(-1), np.float32)
        ends = np.cumsum(out["durations"].reshape(-1)) * FRAME - round(LEAD_S * RATE_HZ)
        ends = np.clip(ends, 0, len(sound)).astype(np.int64)
        ends[-1] = len(sound)
        return Spoken(sound, ends)


def audible(sound: Samples) -> tuple[int, int]:
    """Return the first and the end sample of what can be heard, to 10 ms; `(0, n)` in silence."""
    blocks = sound[: len(sound) // _BLOCK * _BLOCK].reshape(-1, _BLOCK)
    loudness = np.sqrt(np.mean(blocks**2, axis=1))
    heard = np.flatnonzero(loudness > _AUDIBLE * loudness.max(initial=1e-4))
    if not len(heard):
        return 0, len(sound)
    return int(heard[0]) * _BLOCK, int(heard[-1] + 1) * _BLOCK


def read_vocabulary(path: Path) -> dict[str, int]:
    """Read `vocab.json`: symbol → token, bare or under `vocab`."""
    try:
        table = json.loads(contents(path, "Kokoro vocabulary", "it lies beside the model"))
    except ValueError as error:
        raise CorruptError(f"{str(path)!r} is not JSON: {error}") from None
    symbols = table.get("vocab", table) if isinstance(table, dict) else None
    if not isinstance(symbols, dict) or not all(isinstance(n, int) for n in symbols.values()):
        raise CorruptError(f"{str(path)!r} is not a Kokoro vocabulary: symbols with their numbers")
    return dict(symbols)


def prepared(path: Path, *, quantised: bool = False) -> Path:
    """Return the folder of the prepared model, `kokoro.onnx`, made the first time.

    `quantised`: with those convolutions in int8 that keep the sound within 1 dB, on a processor that gains
    by it and for a model whose plan is known; else all is float. Raises `MissingError`, `CorruptError`.
    """
    planned = quantised and _planned(path)
    recipe = f"{RECIPE}-{_PLAN}" if planned else RECIPE
    return cache.derive(path, recipe, lambda: {"kokoro": _prepare(path, planned=planned)})


def _planned(path: Path) -> bool:
    """Whether there is an int8 plan for a model file, and this processor gains from it."""
    plans = json.loads(_PLANS.read_text("utf-8"))
    return "avx2" in cpu_features() and cache.fingerprint(path) in plans


def _prepare(path: Path, *, planned: bool) -> ModelProto:
    require("onnx", extra="voice")
    from mien.engine import graph
    from mien.engine.precision import shipped
    from mien.engine.targets import choose
    from mien.speech.voices import kokoro_graph

    model = kokoro_graph.prepare(graph.load(path))
    plan = shipped.read(_PLANS, cache.fingerprint(path)) if planned else None
    return model if plan is None else plan.applied(model, choose("cpu"))
