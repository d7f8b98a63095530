"""The figures of a conversation: how soon people who talk are answered, and how well they were heard."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from contextlib import AsyncExitStack, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from mien.audio.pcm import Pcm
from mien.audio.resample import resample
from mien.bench import load, soak
from mien.bench.figures import Figures
from mien.bench.recordings import Utterance, from_folder, from_pack
from mien.errors import InputError
from mien.live import Committed, Done, Interrupted, Output, Session, SessionOptions, Stretch, clock, minds
from mien.live.mind import Mind
from mien.live.talk import busy, warm
from mien.live.waterfall import STAGES, Waterfall
from mien.persona import Persona
from mien.progress import Progress, silent
from mien.speech.languages import base
from mien.speech.listening import Listener, Models, Options, Speaking
from mien.speech.listening.error_rate import edits, units
from mien.speech.listening.recogniser import Recogniser
from mien.speech.listening.whisper.model import LONGEST_S

_PUSH_S = 0.02
_SETTLED_S = 1.5  # behind an answer's first sound; a turn that was taken too early has gone on by then
_MOST_S = 8.0
_SHORT_S = 2.0  # what is said into an answer
_HUM = 10 ** (-66 / 20)  # the noise of a quiet room, so that silence is none of zeros


@dataclass(frozen=True, slots=True)
class Way:
    """One way to hold the same conversation."""

    name: str
    models: Models
    speculates: bool = True
    hearing: Options | None = None


@dataclass(slots=True)
class Answered:
    """One utterance: the `said` words that were heard in it, and where the time went until the answer that
    stayed; None when there was none. `answers`: how many were begun: more than one says that a pause was
    taken for the end. `underruns`: how often the answer's sound came too late in its first seconds.
    """

    said: str
    waterfall: Waterfall | None
    answers: int
    underruns: int


@dataclass(slots=True)
class _Told:
    """What a session gave out since the utterance began."""

    committed: list[str] = field(default_factory=list)
    waterfalls: list[Waterfall] = field(default_factory=list)
    spoken: dict[int, float] = field(default_factory=dict)  # turns with sound: when it began

    def take(self, output: Output) -> None:
        match output:
            case Stretch(pcm=Pcm(), turn=turn) if turn:
                self.spoken.setdefault(turn, clock.now())
            case Committed(text=text):
                self.committed.append(text)
            case Interrupted(waterfall=waterfall) | Done(waterfall=waterfall):
                self.waterfalls.append(waterfall)
            case _:
                pass


class Talker:
    """Says utterances to a session, each after the answer to the one before has begun."""

    def __init__(self, session: Session, rate_hz: int) -> None:
        self._session, self._rate_hz = session, rate_hz
        self._told = _Told()
        self._rng = np.random.default_rng(0)
        self._next_s = 0.0

    async def listen(self) -> None:
        """Take what the session gives out, until it is closed."""
        async for output in self._session:
            self._told.take(output)

    async def say(self, pcm: Pcm) -> Answered:
        """Say one utterance, wait for the answer's first sound, and stop it."""
        self._told, late = _Told(), self._session.underruns
        self._next_s = clock.now()
        await self._push(resample(pcm, self._rate_hz).samples)
        over_s = clock.now()
        while not self._settled(over_s):
            await self._push(np.zeros(round(_PUSH_S * self._rate_hz), np.float32))
        self._session.interrupt()
        await self._push(np.zeros(round(0.5 * self._rate_hz), np.float32))
        told = self._told
        stayed = [one for one in told.waterfalls if one.answered_s is not None]
        late = self._session.underruns - late
        return Answered(" ".join(told.committed), stayed[-1] if stayed else None, len(told.spoken), late)

    def _settled(self, over_s: float) -> bool:
        last = max(self._told.spoken.values(), default=None)
        waited_s = clock.now() - max(over_s, last or 0.0)
        return waited_s > (_MOST_S if last is None else _SETTLED_S)

    async def _push(self, samples: np.ndarray) -> None:
        step = round(_PUSH_S * self._rate_hz)
        noisy = samples + _HUM * self._rng.standard_normal(len(samples)).astype(np.float32)
        for at in range(0, len(noisy), step):
            self._next_s += _PUSH_S
            await asyncio.sleep(self._next_s - clock.now())
            await self._session.push(Pcm(noisy[at : at + step], self._rate_hz))


def talked_to(
    name: str, turns: int, folder: Path | None = None, *, side_by_side: bool = False, tell: Progress = silent
) -> Figures:
    """Measure the persona `name` with the recordings of a folder, or of the pack `samples`.

    `side_by_side`: also without speculation, and listening with Whisper's padded window of 30 s. Raises what
    loading the persona, its models and the recordings raises.
    """
    persona = Persona.load(name)
    language = base(persona.spec.language)
    tell("loading", 0.0)
    models = Models.load(Speaking(language))
    try:
        ways = [Way("mien", models)]
        if side_by_side:
            padded = replace(models, recogniser=Recogniser.load(Speaking(language, window_s=LONGEST_S)))
            ways.append(Way("without speculation", models, speculates=False, hearing=Options(early_s=1.0)))
            ways.append(Way("padded window", padded, speculates=False, hearing=Options(early_s=1.0)))
        spoken = from_pack(models) if folder is None else from_folder(folder)
        random.Random(0).shuffle(spoken)
        return run(persona, minds.load(persona), ways, spoken, turns, tell)
    finally:
        models.close()


def called(
    name: str,
    turns: int,
    folder: Path | None = None,
    *,
    sessions: int = 1,
    interrupts: bool = False,
    minutes: float = 0.0,
    url: str | None = None,
    tell: Progress = silent,
) -> Figures:
    """Measure a server, the one at `url` or one that is started, with callers in real time.

    `interrupts`: they say what is short into the answers to what they said before. `minutes`: one caller
    talks for so long, and what the server's process holds is measured.
    """
    if folder is None:
        models = Models.load(Speaking("en"))
        spoken = from_pack(models)
        models.close()
    else:
        spoken = from_folder(folder)
    random.Random(0).shuffle(spoken)
    if interrupts:
        spoken = [one for one in spoken if one.pcm.duration_s <= _SHORT_S] or spoken
    tell("starting a server", 0.0)
    with (
        nullcontext(load.Server(url))
        if url
        else load.serving(name, soak.SESSIONS if minutes else sessions) as server
    ):
        if minutes:
            return soak.run(server, name, spoken, minutes, tell)
        return load.run(
            server.address, name, spoken, sessions, turns, interrupts=interrupts, limit=not url, tell=tell
        )


def run(
    persona: Persona,
    mind: Mind,
    ways: Sequence[Way],
    utterances: Sequence[Utterance],
    turns: int = 50,
    tell: Progress = silent,
) -> Figures:
    """Say `turns` utterances to each of the `ways` in turn, on a clock that skips what is only waited.

    Raises `InputError` without an utterance.
    """
    if not utterances:
        raise InputError("there is nothing to say; give recordings")
    warm(persona, mind, tell)
    spoken = [utterances[i % len(utterances)] for i in range(turns)]

    def works() -> bool:
        return any(busy(way.models)() for way in ways)

    answers = clock.run(_converse(persona, mind, ways, spoken, tell), works, counts_work=True)
    figures = Figures()
    for way in ways:
        _add(figures, way.name, answers[way.name], spoken, base(persona.spec.language), asked=way is ways[0])
    return figures


async def _converse(
    persona: Persona, mind: Mind, ways: Sequence[Way], spoken: Sequence[Utterance], tell: Progress
) -> dict[str, list[Answered]]:
    """Hold all conversations, one utterance of each in turn."""
    answers: dict[str, list[Answered]] = {way.name: [] for way in ways}
    rate_hz = spoken[0].pcm.rate_hz
    async with AsyncExitStack() as stack:
        talkers, listening = {}, []
        for way in ways:
            options = SessionOptions(speculates=way.speculates)
            listener = Listener(way.models, way.hearing, rate_hz=rate_hz)
            session = await stack.enter_async_context(Session(listener, mind, persona, options))
            talkers[way.name] = Talker(session, rate_hz)
            listening.append(asyncio.create_task(talkers[way.name].listen()))
        for number, utterance in enumerate(spoken):
            tell(f"turn {number + 1} of {len(spoken)}", number / len(spoken))
            for name, talker in talkers.items():
                answers[name].append(await talker.say(utterance.pcm))
    await asyncio.gather(*listening)
    return answers


def _add(
    figures: Figures,
    name: str,
    answers: Sequence[Answered],
    spoken: Sequence[Utterance],
    language: str,
    *,
    asked: bool,
) -> None:
    """Add what one way reached; only the first one is asked for something."""
    known = [one.waterfall for one in answers if one.waterfall is not None]
    late = [1000 * one.answered_s for one in known if one.answered_s is not None]
    p50, p95 = np.percentile(late, [50, 95]) if late else (None, None)
    limits = (300.0, 450.0, 0.0) if asked else (None, None, None)
    figures.add(f"{name}: last voiced sample to first sound, median", p50, "ms", "<=", limits[0])
    figures.add(f"{name}: last voiced sample to first sound, p95", p95, "ms", "<=", limits[1])
    for stage in STAGES:
        reached = [1000 * one.at[stage] for one in known if stage in one.at]
        figures.add(f"{name}: {stage}, median", float(np.median(reached)) if reached else None, "ms")
    wrong, words = 0, 0
    for one, utterance in zip(answers, spoken, strict=True):
        wanted = units(utterance.text, language)
        wrong, words = wrong + edits(wanted, units(one.said, language)), words + len(wanted)
    figures.add(f"{name}: word error rate", 100 * wrong / max(words, 1), "%")
    figures.add(f"{name}: not answered", len(answers) - len(late), f"of {len(answers)}", "<=", limits[2])
    figures.add(f"{name}: underruns", sum(one.underruns for one in answers), "", "<=", limits[2])
    early = sum(one.answers > 1 for one in answers)
    figures.add(f"{name}: a pause taken for the end", early, f"of {len(answers)}")
