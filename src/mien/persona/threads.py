"""Work outside the event loop that is never left running behind a cancelled caller."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `work` in a thread; when cancelled, however often, wait for its end first, so that what it holds
    can be closed.
    """
    task = asyncio.ensure_future(asyncio.to_thread(work, *args, **kwargs))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            await _until(task)
        if not task.cancelled():
            task.exception()  # nobody will ask for it
        raise


async def _until(task: asyncio.Future[T]) -> None:
    """Wait for `task`, or for another cancellation."""
    try:
        await asyncio.wait([task])
    except asyncio.CancelledError:
        return
