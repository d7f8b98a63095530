"""The live picture: first a draft, then the whole head, and never what is no longer wanted."""

from __future__ import annotations

import asyncio
import json

import pytest

from mien.studio.asked import read
from mien.studio.live import Live
from mien.studio.turns import Turns
from mien.studio.workshop import Workshop

PATIENCE_S = 250


class Listener:
    """Hears what a live picture sends; each kind can be waited for."""

    def __init__(self):
        self.heard = asyncio.Queue()

    async def send(self, message):
        if isinstance(message, bytes):
            length = int.from_bytes(message[:4], "big")
            message = json.loads(message[4 : 4 + length])
        self.heard.put_nowait(message)

    async def until(self, **wanted):
        while True:
            told = await asyncio.wait_for(self.heard.get(), PATIENCE_S)
            if wanted.items() <= told.items():
                return told


def asked(generation, **values):
    return read(json.dumps({"generation": generation, "values": {"like": "ava", **values}}))


@pytest.fixture
def workshop(pack):
    return Workshop()


def play(workshop, scene):
    """Run a scene of one live picture."""

    async def main():
        turns, listener = Turns(), Listener()
        live = Live(workshop, turns, listener.send, calm_s=0)
        running = asyncio.create_task(live.run())
        try:
            await scene(live, listener)
        finally:
            running.cancel()
            await asyncio.wait([running])
            turns.close()

    asyncio.run(main())


def test_a_draft_comes_first_then_the_whole_head_and_the_next_time_at_once(workshop):
    async def scene(live, listener):
        live.ask(asked(1))
        assert (await listener.until(generation=1, quality="draft"))["quality"] == "draft"
        await listener.until(generation=1, quality="whole")
        assert workshop.known(asked(1).person)
        live.ask(asked(2, beard="full"))
        await listener.until(generation=2, quality="draft")
        live.ask(asked(3))
        told = await listener.until(generation=3)
        while "quality" not in told:
            told = await listener.until(generation=3)
        assert told["quality"] == "whole"

    play(workshop, scene)


def test_a_newer_wish_ends_the_older_build(workshop):
    async def scene(live, listener):
        live.ask(asked(1, chin=0.7))
        await listener.until(what="baking light")
        live.ask(asked(2))
        await listener.until(generation=2, quality="whole")

    play(workshop, scene)
    assert not workshop.known(asked(1, chin=0.7).person)


def test_turning_the_head_drops_no_build(workshop):
    async def scene(live, listener):
        live.ask(asked(1))
        await listener.until(generation=1, quality="draft")
        turned = read(json.dumps({"generation": 2, "values": {"like": "ava"}, "yaw": 20}))
        live.ask(turned)
        await listener.until(generation=2, quality="whole")

    play(workshop, scene)
