"""One who calls a server and talks: pushes sound as it is spoken, plays what comes, notes when it came."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mien.audio.pcm import Samples

RATE_HZ = 24_000
_PUSH_S = 0.02
_HUM = 10 ** (-66 / 20)  # the noise of a quiet room
_LATE_S = 0.06  # sound that comes so long after its time was not to be heard as a gap
_PLAYHEAD_S = 0.25
_PATIENCE_S = 15.0


@dataclass(frozen=True, slots=True, eq=False)
class Spoken:
    """Sound at 24 kHz; `first`, `last`: its first and behind its last voiced sample, `text`: its words."""

    samples: Samples
    first: int
    last: int
    text: str = ""


@dataclass(slots=True)
class Noted:
    """What a caller noted. Milliseconds: `answered` from the last voiced sample pushed until the answer's
    first sound came, `stages` the server's own, `stopped` from the first voiced sample of an interruption
    until the old answer was cut. `underruns`: sound that came too late; `faceless`: sound before its face;
    `offsets`: of sound behind the beginning of its face, ms;
    `stale`: sound and faces of an answer after it was cut; `silent`: utterances without an answer.
    """

    answered: list[float] = field(default_factory=list)
    stages: list[dict[str, float]] = field(default_factory=list)
    stopped: list[float] = field(default_factory=list)
    heard: list[tuple[str, str]] = field(default_factory=list)
    underruns: int = 0
    faceless: int = 0
    offsets: list[float] = field(default_factory=list)
    stale: int = 0
    silent: int = 0
    errors: list[str] = field(default_factory=list)


class Caller:
    """A client with a microphone and a player; `socket` is a connection of `websockets`."""

    def __init__(self, socket: Any, seed: int = 0) -> None:
        self._socket, self._rng = socket, np.random.default_rng(seed)
        self.noted = Noted()
        self._mouth: list[Samples] = []  # what is still to be said
        self._said = asyncio.Event()
        self._changed = asyncio.Event()
        self._answer = ""  # the response that is heard
        self._first_s = 0.0  # when its sound came first
        self._is_given = False  # it is not heard to its end
        self._cut: set[str] = set()
        self._cuts_s: list[float] = []
        self._words: list[str] = []
        self._anchor = (0, time.perf_counter())
        self._end = self._face_end = self._face_start = 0
        self._face_of: str | None = None

    async def talk(self, spoken: Iterable[Spoken], *, interrupts: bool, after_s: float = 1.5) -> None:
        """Say one after the other, each to the end of what the answer needs to be judged; or, with
        `interrupts`, into the answer to the one before.
        """
        await self._send("session.update", session={"type": "realtime", "mien": {"face": True}})
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(work) for work in (self._push(), self._read(), self._report())]
            for utterance in spoken:
                await self._turn(utterance, interrupts=interrupts, after_s=after_s)
            for task in tasks:
                task.cancel()

    async def _turn(self, utterance: Spoken, *, interrupts: bool, after_s: float) -> None:
        before, began = self._answer, time.perf_counter()
        self._words, self._cuts_s = [], []
        cutting = interrupts and self._is_given
        await self._say(utterance)
        last_s = began + utterance.last / RATE_HZ
        while not (self._answer != before and self._first_s > last_s):
            if not await self._change(last_s + _PATIENCE_S):
                self.noted.silent += 1
                return
        self.noted.answered.append(1000 * (self._first_s - last_s))
        if cutting and self._cuts_s:
            self.noted.stopped.append(1000 * (self._cuts_s[0] - began - utterance.first / RATE_HZ))
        await asyncio.sleep(self._rng.uniform(0.4, 0.8) if interrupts else after_s)
        self.noted.heard.append((utterance.text, " ".join(self._words)))  # sound may come before all words
        if not interrupts:
            await self._send("response.cancel")
            await asyncio.sleep(0.5)

    async def _change(self, until_s: float) -> bool:
        self._changed.clear()
        try:
            async with asyncio.timeout(max(0.0, until_s - time.perf_counter())):
                await self._changed.wait()
        except TimeoutError:
            return False
        return True

    async def _say(self, utterance: Spoken) -> None:
        self._said.clear()
        self._mouth.append(utterance.samples)
        await self._said.wait()

    async def _push(self) -> None:
        step, due = round(_PUSH_S * RATE_HZ), time.perf_counter()
        rest = np.zeros(0, np.float32)
        while True:
            if self._mouth and not len(rest):
                rest = self._mouth.pop(0)
            frame, rest = rest[:step], rest[step:]
            frame = np.pad(frame, (0, step - len(frame)))
            noisy = frame + _HUM * self._rng.standard_normal(step).astype(np.float32)
            data = (np.clip(noisy, -1, 1) * 32767).astype("<i2").tobytes()
            due += _PUSH_S
            await asyncio.sleep(due - time.perf_counter())
            await self._send("input_audio_buffer.append", audio=base64.b64encode(data).decode())
            if not len(rest) and not self._mouth:
                self._said.set()

    async def _report(self) -> None:
        while True:
            await asyncio.sleep(_PLAYHEAD_S)
            if self._position() <= self._end:
                await self._send("mien.playhead", sample=self._position())

    async def _read(self) -> None:
        async for message in self._socket:
            event = json.loads(message)
            taker = self._TAKERS.get(event["type"])
            if taker is not None:
                taker(self, event)
                self._changed.set()

    def _sound(self, event: dict[str, Any]) -> None:
        now, start, answer = time.perf_counter(), event["mien"]["start"], event["response_id"]
        self.noted.stale += answer in self._cut
        if self._face_end <= start:
            self.noted.faceless += 1
        if self._face_of == answer:
            self.noted.offsets.append(1000 * (start - self._face_start) / RATE_HZ)
        if answer != self._answer:
            self._answer, self._first_s, self._is_given = answer, now, True
        if start + _LATE_S * RATE_HZ < self._position():
            self.noted.underruns += start == self._end
        if start < self._position():
            self._anchor = (start, now)
        self._end = start + len(event["delta"]) * 3 // 8

    def _face(self, event: dict[str, Any]) -> None:
        self.noted.stale += (event["response_id"] or "") in self._cut
        self._face_of, self._face_start = event["response_id"], event["start"]
        self._face_end = event["start"] + event["count"] * RATE_HZ // 60

    def _was_cut(self, event: dict[str, Any]) -> None:
        self._cut.add(event["response_id"] or "-")
        self._cuts_s.append(time.perf_counter())
        self._end, self._face_end = min(self._end, event["start"]), min(self._face_end, event["start"])

    def _done(self, event: dict[str, Any]) -> None:
        self._is_given = self._is_given and event["response"]["id"] != self._answer

    def _goes_on(self, event: dict[str, Any]) -> None:
        self._cut.discard(event["response_id"])

    def _understood(self, event: dict[str, Any]) -> None:
        self._words.append(event["transcript"])

    def _latency(self, event: dict[str, Any]) -> None:
        self.noted.stages.append(event["stages"])

    def _wrong(self, event: dict[str, Any]) -> None:
        if event["error"].get("code") != "response_cancel_not_active":
            self.noted.errors.append(event["error"]["message"])

    def _position(self) -> int:
        sample, at = self._anchor
        return sample + round((time.perf_counter() - at) * RATE_HZ)

    async def _send(self, kind: str, **fields: Any) -> None:
        await self._socket.send(json.dumps({"type": kind, **fields}))

    _TAKERS = {  # noqa: RUF012 - read only
        "response.output_audio.delta": _sound,
        "mien.face.delta": _face,
        "mien.cut": _was_cut,
        "mien.continued": _goes_on,
        "response.done": _done,
        "mien.latency": _latency,
        "conversation.item.input_audio_transcription.completed": _understood,
        "error": _wrong,
    }
