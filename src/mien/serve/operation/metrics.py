"""Prometheus' figures of a server; each says in its help what it counts."""

from __future__ import annotations

from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    Histogram,
    Info,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)

import mien
from mien.serve.operation.watch import Answered, Closed, Happening, Opened, Presented, Refused, Stopped

_ANSWER_S = (0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.45, 0.6, 0.9, 1.5, 3.0, 6.0)
_STOP_S = (0.05, 0.1, 0.125, 0.15, 0.2, 0.3, 0.5, 1.0, 2.0)
_OFFSET_S = (-0.1, -0.05, -0.025, -0.015, -0.005, 0.005, 0.015, 0.025, 0.05, 0.1)
_LAG_S = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)
_REQUEST_S = (0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0)


class Metrics:
    """The figures of one server, in a registry of its own."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=registry)
        Info("mien_build", "The version that runs.", registry=registry).info({"version": mien.__version__})
        self._turns = Counter(
            "mien_turns", "Turns that were answered, by how that ended.", ["outcome"], registry=registry
        )
        self._stages = Histogram(
            "mien_turn_stage_seconds",
            "From the user's last voiced sample (typed words: their coming) to each stage of the answer; "
            "sent: its first sound, with its face, left the session.",
            ["stage"], buckets=_ANSWER_S, registry=registry,
        )  # fmt: skip
        self._stops = Histogram(
            "mien_barge_in_stop_seconds",
            "From the beginning of the user's voice to the cut of the answer's sound, and to the listening "
            "face that took the place of the speaking one.",
            ["what"], buckets=_STOP_S, registry=registry,
        )  # fmt: skip
        self._offset = Histogram(
            "mien_presented_av_offset_seconds",
            "How far the face that a client showed lay from its sound; positive: the face came first.",
            buckets=_OFFSET_S, registry=registry,
        )  # fmt: skip
        self._delay = Histogram(
            "mien_presented_delay_seconds",
            "From the event with an answer's first sound to that sound, in the client.",
            buckets=_ANSWER_S, registry=registry,
        )  # fmt: skip
        self._underruns = Counter("mien_underruns", "Sound that came too late.", registry=registry)
        self._clamped = Counter(
            "mien_clamped_face_values",
            "Values of faces that lay outside human limits of range or speed, and were changed.",
            ["limit"], registry=registry,
        )  # fmt: skip
        self._opened = Counter(
            "mien_sessions_opened", "Sessions begun, and come back to.", ["how"], registry=registry
        )
        self._closed = Counter(
            "mien_sessions_closed", "Sessions that are over, by why.", ["ending"], registry=registry
        )
        self._refused = Counter(
            "mien_sessions_refused", "Sessions refused, by the error's code.", ["reason"], registry=registry
        )
        self._requests = Counter(
            "mien_http_requests", "HTTP requests.", ["method", "route", "status"], registry=registry
        )
        self._took = Histogram(
            "mien_http_request_duration_seconds",
            "From an HTTP request to the end of its answer.",
            ["route"], buckets=_REQUEST_S, registry=registry,
        )  # fmt: skip
        self._lag = Histogram(
            "mien_event_loop_lag_seconds",
            "How much later than asked the event loop came back.",
            buckets=_LAG_S, registry=registry,
        )  # fmt: skip

    def see(self, happening: Happening) -> None:
        """Count what happened."""
        match happening:
            case Answered():
                self._answered(happening)
            case Stopped():
                self._stops.labels("face" if happening.face else "sound").observe(happening.seconds)
            case Presented():
                self._delay.observe(happening.ms / 1000)
                if happening.av_offset_ms is not None:
                    self._offset.observe(happening.av_offset_ms / 1000)
            case Opened():
                self._opened.labels("resumed" if happening.resumed else "opened").inc()
            case Closed():
                self._closed.labels(happening.ending).inc()
            case Refused():
                self._refused.labels(happening.code).inc()

    def close(self) -> None:
        """Nothing is left."""

    def requested(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an HTTP request."""
        self._requests.labels(method, route, status).inc()
        self._took.labels(route).observe(seconds)

    def late(self, seconds: float) -> None:
        """Take how late the event loop was."""
        self._lag.observe(seconds)

    def page(self) -> bytes:
        """Return all figures as Prometheus reads them."""
        return generate_latest(self.registry)

    def _answered(self, turn: Answered) -> None:
        self._turns.labels(turn.outcome).inc()
        self._underruns.inc(turn.underruns)
        for limit, count in turn.clamped.items():
            self._clamped.labels(limit).inc(count)
        for stage, seconds in (turn.waterfall.at if turn.waterfall is not None else {}).items():
            self._stages.labels(stage).observe(max(0.0, seconds))
