"""How late the event loop is: what it does between two turns makes everybody wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from mien.live import clock

EVERY_S = 0.5


async def watch(observe: Callable[[float], None]) -> None:
    """Tell twice a second how much later than asked the loop came back, s."""
    while True:
        before = clock.now()
        await asyncio.sleep(EVERY_S)
        observe(max(0.0, clock.now() - before - EVERY_S))
