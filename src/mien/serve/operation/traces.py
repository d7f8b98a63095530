"""One OpenTelemetry trace for each turn, from the user's voice to the client's loudspeaker.

A trace is made when its turn is over, of times that were noted: tracing costs an answer nothing.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import mien
from mien.errors import InputError, require
from mien.live import Waterfall, clock
from mien.serve.operation.logs import shown
from mien.serve.operation.watch import Answered, Happening

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span

_HTTP = ("", "http/protobuf", "http")
_PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")


def provider() -> TracerProvider:
    """Return what sends traces where `OTEL_*` says (docs/operations.md).

    Raises `MissingError` without the extra `telemetry`, and `InputError` for what it can not do.
    """
    exporter = os.environ.get("OTEL_TRACES_EXPORTER", "otlp")
    if exporter != "otlp":
        raise InputError(f"OTEL_TRACES_EXPORTER is {exporter!r}; it must be otlp, or leave out --traces")
    for name in _PROTOCOLS:
        if (protocol := os.environ.get(name, "")) not in _HTTP:
            raise InputError(f"{name} is {protocol!r}; traces go by http/protobuf, as a rule to port 4318")
    require("opentelemetry.sdk", extra="telemetry")
    sent = require("opentelemetry.exporter.otlp.proto.http.trace_exporter", extra="telemetry")
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    named = {"service.name": os.environ.get("OTEL_SERVICE_NAME", "mien"), "service.version": mien.__version__}
    made = TracerProvider(resource=Resource.create(named))
    made.add_span_processor(BatchSpanProcessor(sent.OTLPSpanExporter()))
    return made


class Traces:
    """Writes a trace for each turn that is over."""

    def __init__(self, provider: TracerProvider) -> None:
        self._provider = provider
        self._tracer = provider.get_tracer("mien", mien.__version__)

    def see(self, happening: Happening) -> None:
        """Trace a turn."""
        if isinstance(happening, Answered):
            _Trace(self._tracer, happening).write()

    def close(self) -> None:
        """Send what is left."""
        self._provider.shutdown()


class _Trace:
    """The spans of one turn; times of the event loop become nanoseconds since 1970."""

    def __init__(self, tracer: Any, turn: Answered) -> None:
        self._tracer, self._turn = tracer, turn
        self._epoch_ns = time.time_ns() - round(1e9 * clock.now())

    def write(self) -> None:
        turn = self._turn
        begun = turn.voice_s if turn.voice_s is not None else turn.ended_s
        if turn.waterfall is not None:
            begun = min(begun, turn.waterfall.began_s)
        span = self._begin("turn", begun, None)
        span.set_attributes(_attributes(turn))
        if turn.outcome == "failed":
            from opentelemetry.trace import StatusCode

            span.set_status(StatusCode.ERROR)
        if turn.waterfall is not None:
            self._stages(span, turn.waterfall)
        span.end(self._ns(turn.ended_s))

    def _stages(self, turn: Span, waterfall: Waterfall) -> None:
        """Add a span for each stage, from the one before, and what the client made of it."""
        before = waterfall.began_s
        if self._turn.voice_s is not None:
            self._add(turn, "voice", self._turn.voice_s, before)
        for stage, seconds in sorted(waterfall.at.items(), key=lambda row: row[1]):
            at = waterfall.began_s + seconds
            self._add(turn, stage, before, at)
            before = at
        if waterfall.answered_s is None:
            return
        sent = waterfall.began_s + waterfall.answered_s
        presented = self._turn.presented
        if presented is not None:
            told = {"mien.delay_ms": presented.ms}
            if presented.av_offset_ms is not None:
                told["mien.av_offset_ms"] = presented.av_offset_ms
            self._add(turn, "playout", sent, presented.at_s, told)
        self._add(turn, "answer", sent, self._turn.ended_s)

    def _add(
        self, turn: Span, name: str, start_s: float, end_s: float, told: dict[str, float] | None = None
    ) -> None:
        span = self._begin(name, start_s, turn)
        span.set_attributes(told or {})
        span.end(max(self._ns(start_s), self._ns(end_s)))

    def _begin(self, name: str, at_s: float, parent: Span | None) -> Span:
        from opentelemetry.context import Context
        from opentelemetry.trace import set_span_in_context

        within = Context() if parent is None else set_span_in_context(parent, Context())
        span: Span = self._tracer.start_span(name, within, start_time=self._ns(at_s))
        return span

    def _ns(self, at_s: float) -> int:
        return self._epoch_ns + round(1e9 * at_s)


def _attributes(turn: Answered) -> dict[str, str | int | bool]:
    return {
        "mien.session": shown(turn.session),
        "mien.turn": turn.turn,
        "mien.response": turn.response,
        "mien.persona": turn.persona,
        "mien.outcome": turn.outcome,
        "mien.spoken": turn.voice_s is not None,
        "mien.underruns": turn.underruns,
        "mien.clamped": sum(turn.clamped.values()),
    }
