"""What is true of a server at the moment when it is asked: sessions, queues, engines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from mien.serve.operation.engines import engines

if TYPE_CHECKING:
    from mien.serve.site import Site

QUEUES = ("text", "sound", "output")


class Now(Collector):
    """Asks a site's parts; keeps nothing."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def describe(self) -> Iterator[Metric]:
        """Name nothing before it is asked."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """Yield the figures."""
        yield from self._sessions()
        yield from self._queues()
        yield from self._server()
        yield from engines()

    def _sessions(self) -> Iterator[Metric]:
        there = [connection is not None for _, connection in self._site.registry.seats()]
        sessions = GaugeMetricFamily(
            "mien_sessions",
            "Sessions whose client is connected, or may come back.",
            labels=["state"],
        )
        sessions.add_metric(["connected"], sum(there))
        sessions.add_metric(["away"], len(there) - sum(there))
        yield sessions
        yield GaugeMetricFamily(
            "mien_session_places", "How many sessions there may be at once.", self._site.options.sessions
        )

    def _queues(self) -> Iterator[Metric]:
        seats = self._site.registry.seats()
        deepest = GaugeMetricFamily(
            "mien_queue_deepest_seconds",
            "Speech that waits as text, as sound, or for the client: of the session in which most waits.",
            labels=["queue"],
        )
        waiting = [conversation.live.waiting_ms for conversation, _ in seats]
        for queue in QUEUES:
            deepest.add_metric([queue], max((each[queue] for each in waiting), default=0.0) / 1000)
        yield deepest
        yield GaugeMetricFamily(
            "mien_outbox_deepest_bytes",
            "What waits for a client to read it: of the one that reads slowest.",
            max((connection.unsent for _, connection in seats if connection is not None), default=0),
        )
        inside = GaugeMetricFamily(
            "mien_requests_inside", "HTTP requests that are worked on, or wait for it.", labels=["work"]
        )
        inside.add_metric(["speech"], self._site.speaking.inside)
        inside.add_metric(["transcripts"], self._site.transcribing.inside)
        yield inside

    def _server(self) -> Iterator[Metric]:
        site = self._site
        ready = site.ready and not site.registry.draining
        yield GaugeMetricFamily("mien_ready", "Whether sessions are taken, as /readyz says.", int(ready))
        yield GaugeMetricFamily(
            "mien_draining", "Whether the server is about to end.", int(site.registry.draining)
        )
