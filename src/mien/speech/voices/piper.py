"""Piper (VITS) voices: the first sound is ready while the rest of the breath is still to be computed."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mien.engine.stop import Stop
from mien.speech.breath import Breath
from mien.speech.languages import base
from mien.speech.phonemes import Transcription, phones
from mien.speech.phonemes.piper import transcribe
from mien.speech.voice import SpeechChunk
from mien.speech.voices.piper_config import BEGIN, END, PAD
from mien.speech.voices.piper_model import PiperModel, Sentence, Speech
from mien.speech.voices.sound import Finish, check, speed
from mien.speech.voices.utterance import check_languages, chunks, marks_of, samples_of, slower
from mien.speech.voices.worker import Worker

FIRST_FRAMES = 12  # 0.14 s at 22,050 Hz
LARGEST_FRAMES = 192

_log = logging.getLogger(__name__)


class PiperVoice:
    """Any Piper voice. The same breath always gives the same samples."""

    def __init__(self, model: PiperModel, speaker: str | int | None = None, *, name: str = "piper") -> None:
        self._model = model
        self._speaker = model.config.speaker(speaker)
        self._name = name
        self._worker = Worker(f"voice-{name}")

    @classmethod
    def load(cls, path: Path, *, speaker: str | int | None = None) -> PiperVoice:
        """Load a voice from `NAME.onnx` with its `NAME.onnx.json` beside it.

        `speaker`: name or number, in a voice of several. Raises `MissingError`, `CorruptError`, `InputError`.
        """
        return cls(PiperModel.load(path), speaker, name=path.stem)

    @property
    def rate_hz(self) -> int:
        """Sample rate of the sound, Hz."""
        return self._model.config.rate_hz

    @property
    def languages(self) -> frozenset[str]:
        """The one language the voice speaks."""
        return frozenset({base(self._model.config.language)})

    def speak(self, breath: Breath) -> AsyncGenerator[SpeechChunk, None]:
        """Speak one breath (its `pause_s` excluded); all phones come with the first chunk.

        Raises `InputError` for a language the voice does not speak. Closing the generator stops the work.
        """
        return self._worker.stream(lambda stop: self._chunks(breath, stop))

    def _chunks(self, breath: Breath, stop: Stop) -> Generator[SpeechChunk, None, None]:
        check(breath.prosody)
        check_languages(breath, self._name, self.languages)
        said = transcribe(breath.pieces, self._model.config.language)
        if not said.symbols.strip():
            return
        spelling = self._spell(breath, said)
        speech = self._model.speak(spelling.sentence, stop)
        finish = Finish(breath.prosody, self.rate_hz, speech.length)
        samples = samples_of(spelling.ends(speech), finish)
        spoken = phones(spelling.symbols, samples, self.rate_hz)
        marks = marks_of(zip(breath.pieces, spelling.starts, strict=True), samples)
        yield from chunks(speech.windows(window_frames()), finish, self.rate_hz, spoken, marks)

    def _spell(self, breath: Breath, said: Transcription) -> _Spelling:
        """Return `^`, each symbol with a pad behind it, `$`; a symbol that the model lacks has no ids."""
        ids = self._model.config.ids
        symbols, runs, stretch = [BEGIN], [ids[BEGIN]], [1.0]
        for symbol, factor in zip(said.symbols, slower(breath, said), strict=True):
            symbols += [symbol, PAD]
            runs += [ids[symbol], ids[PAD]] if symbol in ids else [(), ()]
            stretch += [factor, factor]
        if missing := sorted(set(said.symbols) - ids.keys()):
            _log.warning("voice %r has no sound for %s", self._name, " ".join(missing))
        symbols, runs, stretch = [*symbols, END], [*runs, ids[END]], [*stretch, 1.0]
        flat = [(i, factor) for run, factor in zip(runs, stretch, strict=True) for i in run]
        sentence = Sentence(
            tuple(i for i, _ in flat), tuple(s for _, s in flat), self._speaker, speed(breath.prosody)
        )
        starts = tuple(1 + 2 * start for start in said.starts)
        return _Spelling(tuple(symbols), tuple(map(len, runs)), starts, sentence)


@dataclass(frozen=True, slots=True)
class _Spelling:
    """`symbols[i]` is `widths[i]` of the sentence's ids; the breath's piece `k` starts at `starts[k]`."""

    symbols: tuple[str, ...]
    widths: tuple[int, ...]
    starts: tuple[int, ...]
    sentence: Sentence

    def ends(self, speech: Speech) -> NDArray[np.int64]:
        """Return where each symbol ends, samples; evenly spread when the model hides its durations."""
        places = np.cumsum(self.widths)
        if speech.durations is None:
            return np.asarray(places * speech.length // places[-1], np.int64)
        return np.asarray(np.cumsum([0, *speech.durations])[places], np.int64)


def window_frames() -> Iterator[int]:
    """Yield the frames of each window to decode: a short first one, then ever larger ones."""
    size = FIRST_FRAMES
    while True:
        yield size
        size = min(2 * size, LARGEST_FRAMES)
