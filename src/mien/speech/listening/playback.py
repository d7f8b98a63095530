"""A recording pushed through a listener as if somebody spoke it now."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

from mien.audio.pcm import Pcm
from mien.speech.listening.events import Event
from mien.speech.listening.listener import Listener
from mien.speech.listening.models import Models
from mien.speech.listening.options import Options

_CHUNK_S = 0.02  # what a browser or a telephone sends at once


async def play(
    models: Models, pcm: Pcm, options: Options | None = None, *, live: bool = False
) -> AsyncIterator[tuple[Event, float]]:
    """Yield each event and how long after its sample it came, s.

    `live`: at the pace of the clock. Otherwise as fast as this machine can: the second value says nothing.
    Raises what `Listener.push` raises, after the events before it.
    """
    began = time.perf_counter()
    async with Listener(models, options, rate_hz=pcm.rate_hz) as listener:
        feeding = asyncio.create_task(_feed(listener, pcm, began if live else None))
        try:
            async for event in listener:
                yield event, time.perf_counter() - began - event.sample / pcm.rate_hz
            await feeding
        finally:
            feeding.cancel()


async def _feed(listener: Listener, pcm: Pcm, began: float | None) -> None:
    step = max(1, round(_CHUNK_S * pcm.rate_hz))
    try:
        for at in range(0, len(pcm), step):
            if began is not None:
                await asyncio.sleep(began + (at + step) / pcm.rate_hz - time.perf_counter())
            await listener.push(pcm.cut(at, at + step))
        await listener.finish()
    except BaseException:
        await listener.aclose()  # or who waits for events would wait for ever
        raise
