"""The live picture of one page: the newest wish wins, older work is dropped."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from mien.avatar.fields import values_of
from mien.avatar.model import Avatar
from mien.errors import MienError
from mien.studio.asked import Asked
from mien.studio.easel import Easel
from mien.studio.turns import Rank, Turns
from mien.studio.workshop import Workshop

CALM_S = 1.5  # without a change before the whole head is built
STEP = 0.02  # of progress that is worth telling
Send = Callable[[dict[str, Any] | bytes], Coroutine[Any, Any, None]]


class SupersededError(Exception):
    """What was asked is no longer wanted."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A head that can be drawn, of whom, and whether it is the whole one."""

    head: Avatar
    of: Asked
    quality: str


class Live:
    """Answers one page. `send` takes JSON objects (`progress`, `error`, `values`) and pictures as `framed`.

    Two tasks: one builds the newest person's draft and, after `calm_s` of calm, the whole head; the other
    draws the newest head in the newest view, so that turning the head never waits for a build.
    """

    def __init__(self, workshop: Workshop, turns: Turns, send: Send, calm_s: float = CALM_S) -> None:
        self._workshop, self._turns, self._send, self._calm_s = workshop, turns, send, calm_s
        self._easel = Easel()
        self._asked: Asked | None = None
        self._shown: Shown | None = None
        self._person, self._view = asyncio.Event(), asyncio.Event()

    def ask(self, asked: Asked) -> None:
        """Take a new wish; a change of the view alone drops no build."""
        before, self._asked = self._asked, asked
        if before is None or before.person != asked.person:
            self._person.set()
        else:
            self._view.set()

    async def run(self) -> None:
        """Build and draw until cancelled."""
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._build_all())
                tasks.create_task(self._draw_all())
        finally:
            self._asked = None
            self._easel.close()

    async def _build_all(self) -> None:
        while True:
            await self._person.wait()
            self._person.clear()
            try:
                await self._build()
            except SupersededError:
                continue
            except MienError as error:
                await self._send({"error": str(error)})

    async def _build(self) -> None:
        asked = self._asked
        assert asked is not None
        await self._send({"values": values_of(asked.person), "generation": asked.generation})
        loop = asyncio.get_running_loop()
        if not self._workshop.known(asked.person):
            await self._send({"progress": 0.0, "what": "sketching"})
            work = partial(self._workshop.draft, asked.person, partial(self._check, asked))
            self._show(Shown(await self._turns.do(Rank.LIVE, work), asked, "draft"))
            with suppress(TimeoutError):
                await asyncio.wait_for(self._person.wait(), self._calm_s)
            self._check(asked)
        whole = partial(self._workshop.whole, asked.person, self._teller(asked, loop))
        self._show(Shown(await self._turns.do(Rank.LIVE, whole), asked, "whole"))

    def _check(self, asked: Asked) -> None:
        """Raise when another person is wanted by now."""
        if self._asked is None or self._asked.person != asked.person:
            raise SupersededError

    def _teller(self, asked: Asked | None, loop: asyncio.AbstractEventLoop) -> Callable[[str, float], None]:
        """Return progress that reaches the page, and ends the work when `asked` is no longer wanted."""
        told = [-1.0]

        def tell(what: str, share: float) -> None:
            if asked is not None:
                self._check(asked)
            if not told[0] <= share < told[0] + STEP:
                told[0] = share
                asyncio.run_coroutine_threadsafe(self._send({"progress": share, "what": what}), loop)

        return tell

    def _show(self, shown: Shown) -> None:
        self._shown = shown
        self._view.set()

    async def _draw_all(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._view.wait()
            self._view.clear()
            asked, shown = self._asked, self._shown
            if asked is None or shown is None or shown.of.person != asked.person:
                continue
            try:
                tell, draft = self._teller(None, loop), shown.quality == "draft"
                draw = partial(self._easel.picture, shown.head, asked.view, tell, draft=draft)
                picture = await loop.run_in_executor(None, draw)
            except MienError as error:
                await self._send({"error": str(error)})
                continue
            await self._send(framed({"generation": asked.generation, "quality": shown.quality}, picture))


def framed(about: dict[str, Any], picture: bytes) -> bytes:
    """Return a picture with what it is: a length (4 bytes, big endian), so much JSON, the picture."""
    head = json.dumps(about).encode()
    return len(head).to_bytes(4, "big") + head + picture
