"""What all routes of a server share."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from fastapi import Request

from mien.live.admission import Admission
from mien.persona.threads import in_thread
from mien.serve.door import Door
from mien.serve.gate import Gate
from mien.serve.house import House
from mien.serve.operation import lag, traces
from mien.serve.operation.logs import Logs
from mien.serve.operation.metrics import Metrics
from mien.serve.operation.now import Now
from mien.serve.options import ServeOptions
from mien.serve.realtime.registry import Registry
from mien.serve.videos.jobs import Jobs


@dataclass(eq=False)
class Site:
    """`ready`: what the default persona needs is loaded."""

    options: ServeOptions
    door: Door
    house: House
    registry: Registry
    ready: bool = False
    films: Jobs = field(default_factory=Jobs)
    speaking: Gate = field(default_factory=lambda: Gate("speech", 2, 16))
    transcribing: Gate = field(default_factory=lambda: Gate("transcripts", 1, 8))
    metrics: Metrics = field(default_factory=Metrics)
    _lag: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        self.house.watch.watchers.append(self.metrics)
        self.metrics.registry.register(Now(self))

    @classmethod
    def of(cls, options: ServeOptions) -> Site:
        """Return a server's site; raises `InputError`, `MissingError` for a persona or a key."""
        house = House(options.persona, Admission(options.sessions, options.slowest_s))
        house.spec(options.persona)
        site = cls(options, Door.of(options), house, Registry(house, options.each, options.longest_s))
        if options.log_json:
            house.watch.watchers.append(Logs(words=options.log_words))
        if options.traces:
            house.watch.watchers.append(traces.Traces(traces.provider()))
        return site

    async def warm(self) -> None:
        """Load what the default persona needs."""
        self._lag = asyncio.get_running_loop().create_task(lag.watch(self.metrics.late))
        await self.house.warm()
        self.ready = True

    async def close(self) -> None:
        """End all sessions and threads."""
        if self._lag is not None:
            self._lag.cancel()
        await self.registry.drain(0.0)
        await self.films.close()
        self.house.close()
        await in_thread(self.house.watch.close)


def site_of(request: Request) -> Site:
    """Return the site of a request."""
    site: Site = request.app.state.site
    return site


def enter(request: Request) -> str:
    """Return who asks; raises `RefusedError`."""
    return site_of(request).door.enter(request)


def newcomer(request: Request) -> str:
    """Return who asks for a session; raises `RefusedError`, also for a token that was used up."""
    return site_of(request).door.enter(request, unused=True)
