"""How soon whole sentences are answered, and how often people who stop to think are cut short.

    .venv/bin/python benchmarks/turn_ends.py prompts --keep silences.json
    .venv/bin/python benchmarks/turn_ends.py --kept silences.json

The recordings (see `mien bench live --recordings`) are said whole, and broken off behind a word inside: what
follows is silence. Ten minutes on two cores, moments with what was kept. The 50 that `mien bench live` says
are held out; the rest fits the weights of `mien.speech.listening.completeness`.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from mien.audio.pcm import Samples
from mien.audio.resample import resample
from mien.bench.recordings import from_folder
from mien.speech.listening import Models, Speaking
from mien.speech.listening.activity import HOP, RATE_HZ, Thresholds
from mien.speech.listening.completeness import completeness, features
from mien.speech.listening.ears import Ears
from mien.speech.listening.turn import EAGERNESS, TurnOptions

HELD_OUT, CUTS = 50, 2
HUM = 10 ** (-66 / 20)
BEFORE_S, AFTER_S = 0.3, 0.7
PAUSES_S = (0.5, 1.0, 2.0)


@dataclass(frozen=True)
class Silence:
    """What was known in one silence: the turn model's `probability` and the words; `lasted_s` until speech
    went on (None: for ever), `whole`: the sentence was over, `held_out`: not to be fitted on.
    """

    probability: float
    text: str
    whole: bool
    lasted_s: float | None
    held_out: bool


class Hearing:
    """Hears a sound as a listener does, and notes its silences."""

    def __init__(self, models: Models) -> None:
        self._models = models
        self.words: list[tuple[str, int]] = []  # of the last silence, with their ends on the sound's clock

    def silences(self, sound: Samples, *, whole: bool, held_out: bool) -> Iterator[Silence]:
        ears = Ears(self._models.vad, self._models.turn, Thresholds(), TurnOptions(), BEFORE_S)
        known, began = None, 0
        for number, hop in enumerate(_hops(sound)):
            before = ears.voiced_end
            ears.step(hop)
            question = ears.question()
            if question is not None:
                known, began = (question(), *self._read(ears)), number
            elif known is not None and ears.voiced_end != before:
                yield Silence(known[0], known[1], True, (number - began) * HOP / RATE_HZ, held_out)
                known = None
        if known is not None:
            yield Silence(known[0], known[1], whole, None, held_out)

    def _read(self, ears: Ears) -> tuple[str]:
        heard = self._models.recogniser.hear(ears.tape.cut(ears.start, ears.tape.end), last=True)
        shift = ears.start - round(BEFORE_S * RATE_HZ)
        self.words = [(word.text, word.end + shift) for word in heard.words]
        return (heard.text,)


def _hops(sound: Samples) -> Iterator[Samples]:
    padded = np.pad(sound, (round(BEFORE_S * RATE_HZ), round(AFTER_S * RATE_HZ)))
    noise = np.random.default_rng(0).standard_normal(len(padded))
    noisy = (padded + HUM * noise).astype(np.float32)
    yield from (noisy[at : at + HOP] for at in range(0, len(noisy) - HOP + 1, HOP))


def collect(folder: Path) -> Iterator[Silence]:
    """Yield the silences of all recordings, whole and broken off."""
    hearing = Hearing(Models.load(Speaking("en")))
    utterances = from_folder(folder)
    random.Random(0).shuffle(utterances)
    for number, utterance in enumerate(utterances):
        held_out = number < HELD_OUT
        sound = resample(utterance.pcm, RATE_HZ).samples
        yield from hearing.silences(sound, whole=True, held_out=held_out)
        inside = [end for text, end in hearing.words[:-1] if text[-1] not in ".!?"]
        for end in random.Random(utterance.name).sample(inside, min(CUTS, len(inside))):
            broken = sound[: max(end, RATE_HZ // 4)].copy()
            broken[-160:] *= np.linspace(1.0, 0.0, 160, dtype=np.float32)
            yield from hearing.silences(broken, whole=False, held_out=held_out)


def fit(silences: Sequence[Silence]) -> np.ndarray:
    """Return the weights of a logistic regression, both kinds counting alike, ridge 1, by Newton's method."""
    used = [each for each in silences if each.lasted_s is None]
    x = np.array([features(each.probability, each.text, "en") for each in used])
    y = np.array([each.whole for each in used], float)
    counts = np.where(y == 1, 0.5 / y.mean(), 0.5 / (1 - y.mean()))
    ridge, weights = np.diag([0.0, 1.0, 1.0, 1.0]), np.zeros(4)
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (counts * (y - p)) - ridge @ weights
        weights = weights + np.linalg.solve((x.T * (counts * p * (1 - p))) @ x + ridge, slope)
    return weights


def row(name: str, silences: Sequence[Silence], waits: np.ndarray) -> None:
    """Print the silence that whole sentences need, and the share of pauses that are taken for the end."""
    last = np.array([each.lasted_s is None for each in silences])
    whole = np.array([each.whole for each in silences])
    needed, broken = waits[last & whole], waits[last & ~whole]
    inner = [(wait, each.lasted_s) for wait, each in zip(waits, silences, strict=True) if each.lasted_s]
    cut = [f"{100 * np.mean(broken < pause_s):.0f} %" for pause_s in PAUSES_S]
    early = 100 * np.mean([wait < lasted_s for wait, lasted_s in inner])
    p50, p95 = np.percentile(needed, (50, 95))
    print(f"| {name} | {p50:.2f} s | {p95:.2f} s | {' | '.join(cut)} | {early:.0f} % of {len(inner)} |")


def alone(probability: float) -> float:
    """Return the silence that the turn model alone asks for, where the wait grows with its doubt squared."""
    return 0.128 + (4.0 - 0.128) * max(0.0, (0.6 - probability) / 0.6) ** 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--kept", type=Path)
    asked = parser.parse_args()
    if asked.kept:
        silences = [Silence(**each) for each in json.loads(asked.kept.read_text())]
    else:
        silences = list(collect(asked.folder))
    if asked.keep:
        asked.keep.write_text(json.dumps([asdict(each) for each in silences]))
    print("weights:", np.round(fit([each for each in silences if not each.held_out]), 2))
    print("| silence that whole sentences need | median | p95 | pauses taken: 0.5 s | 1 s | 2 s | between |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for held_out, name in ((False, "fitted on"), (True, "held out")):
        some = [each for each in silences if each.held_out is held_out]
        row(f"{name}: turn model alone", some, np.array([alone(each.probability) for each in some]))
        complete = [completeness(each.probability, each.text, "en") for each in some]
        for eagerness in ("high", "medium", "low"):
            waits = np.array([EAGERNESS[eagerness].needs_s(each) for each in complete])
            row(f"{name}: {eagerness}", some, waits)


if __name__ == "__main__":
    main()
