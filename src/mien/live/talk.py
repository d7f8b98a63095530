"""Recordings talked to as if somebody spoke them now; the conversation becomes a file."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from mien.audio.pcm import Pcm, Samples
from mien.audio.resample import resample
from mien.errors import InputError
from mien.face.pose import FaceTrack
from mien.live import clock
from mien.live.caller import Caller
from mien.live.events import Committed, Done, Failed, Interrupted, Output, Stretch
from mien.live.idle import FRAME_HZ
from mien.live.mind import Mind
from mien.live.options import SessionOptions
from mien.live.phrases import prepare
from mien.live.session import Session
from mien.live.subtitles import Subtitles
from mien.live.waterfall import Waterfall
from mien.persona import Chunk, Film, Persona
from mien.persona.making import output_paths
from mien.persona.outputs import Setting, open_output
from mien.progress import Progress, silent
from mien.speech.listening import Listener, Models, Options

LONGEST_S = 900.0
_AFTER_S = 0.7  # of the face behind the last word
_CHUNK_S = 0.5
_AHEAD_S = 20.0  # spent on what may be answered, before a recording is said


@dataclass(slots=True)
class Exchanged:
    """One turn as it went: `said` by the user, `answered` as far as it was heard, where the time went."""

    said: str
    answered: str
    cut: bool
    waterfall: Waterfall | None
    failed: str = ""


@dataclass(slots=True)
class Talk:
    """A whole conversation on one clock: the persona's sound, the face, and the user's sound, which `caller`
    makes.
    """

    rate_hz: int
    caller: Caller
    subtitles: Subtitles
    turns: dict[int, Exchanged] = field(default_factory=dict)
    underruns: int = 0
    _voice: Samples = field(default_factory=lambda: np.zeros(0, np.float32))
    _parts: list[FaceTrack] = field(default_factory=list)

    @property
    def end_s(self) -> float:
        """When the last word of either ends, s."""
        return max(self.caller.said.duration_s, len(self._voice) / self.rate_hz)

    def take(self, output: Output) -> None:
        """Take what a session gives out."""
        self.caller.take(output)
        self.subtitles.take(output)
        match output:
            case Stretch():
                self._stretch(output)
            case Committed(turn, text):
                if turn:
                    self.turns[turn] = Exchanged(text, "", cut=False, waterfall=None)
            case Interrupted(turn, _, heard, _, waterfall):
                self._answered(turn, heard, waterfall, cut=True)
            case Done(turn, text, waterfall):
                self._answered(turn, text, waterfall, cut=False)
            case Failed(turn, message):
                self.turns.setdefault(turn, Exchanged("", "", cut=False, waterfall=None)).failed = message
            case _:
                pass

    def chunks(self, end_s: float) -> list[Chunk]:
        """Return both voices with the face, up to `end_s`."""
        end, step = round(end_s * self.rate_hz), round(_CHUNK_S * self.rate_hz)
        sound = np.zeros(end, np.float32)
        for part in (self._voice, resample(self.caller.said, self.rate_hz).samples):
            sound[: len(part)] += part[:end]
        np.clip(sound, -1.0, 1.0, out=sound)
        face = FaceTrack.join(self._parts)
        out = []
        for start in range(0, end, step):
            first, last = (-(-at * FRAME_HZ // self.rate_hz) for at in (start, min(start + step, end)))
            pcm = Pcm(sound[start : start + step], self.rate_hz)
            out.append(Chunk(pcm, start, face.cut(min(first, len(face)), last)))
        return out

    def _answered(self, turn: int, text: str, waterfall: Waterfall, *, cut: bool) -> None:
        row = self.turns.setdefault(turn, Exchanged("", "", cut=cut, waterfall=None))
        row.answered, row.cut, row.waterfall = text, cut, waterfall

    def _stretch(self, stretch: Stretch) -> None:
        """Put a stretch where it belongs; what was there from its start on is void."""
        self._voice = self._voice[: stretch.start]
        if stretch.pcm is not None:
            gap = np.zeros(stretch.start - len(self._voice), np.float32)
            self._voice = np.concatenate([self._voice, gap, stretch.pcm.samples])
        self._cut(-(-stretch.start * FRAME_HZ // self.rate_hz))
        if len(stretch.face):
            self._parts.append(stretch.face)

    def _cut(self, frame: int) -> None:
        while self._parts:
            last = self._parts.pop()
            first = round(last.start_s * FRAME_HZ)
            if first < frame:
                self._parts.append(last.cut(0, frame - first))
                return


async def converse(
    recordings: Sequence[Pcm],
    models: Models,
    persona: Persona,
    mind: Mind,
    options: SessionOptions | None = None,
    hearing: Options | None = None,
    *,
    interrupt_s: float | None = None,
    progress: Progress = silent,
) -> Talk:
    """Say recordings to a persona at the pace of the running event loop's clock, each after the answer to the
    one before (see `Caller`); return what happened.

    Raises `InputError` for recordings that are empty or too long.
    """
    caller = Caller(check(recordings), interrupt_s)
    listener = Listener(models, hearing, rate_hz=caller.rate_hz)
    async with Session(listener, mind, persona, options) as session:
        talk = Talk(session.rate_hz, caller, Subtitles(session.rate_hz, caller.rate_hz))
        async with asyncio.TaskGroup() as group:
            group.create_task(_take(session, talk))
            await _say(session, caller, progress)
            await session.rest()
            await asyncio.sleep(_AFTER_S)
            talk.underruns = session.underruns
            await session.aclose()
    return talk


def check(recordings: Sequence[Pcm]) -> Sequence[Pcm]:
    """Return recordings that can be said; raises `InputError` for others."""
    whole_s = sum(recording.duration_s for recording in recordings)
    if not whole_s:
        raise InputError("the recording is empty; give one in which somebody speaks")
    if whole_s > LONGEST_S:
        raise InputError(
            f"the recordings last {whole_s:.0f} s; up to {LONGEST_S:.0f} s can be talked: cut them shorter"
        )
    return recordings


async def _take(session: Session, talk: Talk) -> None:
    async for output in session:
        talk.take(output)


async def _say(session: Session, caller: Caller, progress: Progress) -> None:
    next_s = clock.now()
    while (piece := caller.next()) is not None:
        next_s += piece.duration_s
        await asyncio.sleep(next_s - clock.now())
        await session.push(piece)
        progress("talking", caller.share)
    await session.finish()


def warm(persona: Persona, mind: Mind, progress: Progress = silent) -> None:
    """Load the voice and speak ahead what is known: what happens once is not part of an answer."""

    async def speak() -> None:
        await prepare(persona, mind, progress, within_s=_AHEAD_S)
        async for _ in persona.stream("Hello there."):
            pass

    asyncio.run(speak())


def busy(models: Models) -> Callable[[], bool]:
    """Return what tells whether a thread of the listener works."""
    return lambda: models.ears.busy or models.turns.busy or models.words.busy


def write(talk: Talk, to: str | Path | list[str], persona: Persona, film: Film, progress: Progress) -> float:
    """Write the conversation into a film, a sound or a face; return its seconds."""
    end_s = talk.end_s + _AFTER_S
    setting = Setting(persona.spec.avatar, talk.rate_hz, film, progress, talk.subtitles.captions())
    for path in output_paths(to):
        with open_output(path, setting) as output:
            chunks = talk.chunks(end_s)
            for number, chunk in enumerate(chunks):
                progress("drawing", number / len(chunks))
                output.write(chunk)
    return end_s
