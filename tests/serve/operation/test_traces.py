"""One trace for each turn, as OpenTelemetry's own exporter gets it."""

import asyncio
import subprocess
import sys

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from mien.errors import InputError
from mien.live import Waterfall, clock
from mien.serve.operation import traces
from mien.serve.operation.watch import Answered, Presented

STAGES = {"pause": 0.1, "words": 0.16, "understanding": 0.17, "breath": 0.18, "sound": 0.24, "sent": 0.31}


def traced(turn):
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))

    async def main():
        traces.Traces(provider).see(turn)

    clock.run(main())
    return {span.name: span for span in exporter.get_finished_spans()}


def ms(span, origin):
    return [round((at - origin.start_time) / 1e6) for at in (span.start_time, span.end_time)]


def test_a_turn_is_one_trace_from_voice_to_playout():
    presented = Presented("sess_0123456789abcdef", "resp_1", 60.0, 4.0, 12.4)
    turn = Answered(
        "sess_0123456789abcdef", 3, "resp_1", "joe", "completed", 15.0, Waterfall(3, 12.0, STAGES), 10.0,
        presented, asked="marmalade",
    )  # fmt: skip
    spans = traced(turn)
    root = spans["turn"]
    assert len({span.context.trace_id for span in spans.values()}) == 1
    assert {span.parent and span.parent.span_id for span in spans.values()} == {None, root.context.span_id}
    assert ms(root, root) == [0, 5000]
    assert ms(spans["voice"], root) == [0, 2000]
    assert ms(spans["pause"], root) == [2000, 2100]
    assert ms(spans["understanding"], root) == [2160, 2170]
    assert ms(spans["sent"], root) == [2240, 2310]
    assert ms(spans["playout"], root) == [2310, 2400]
    assert ms(spans["answer"], root) == [2310, 5000]
    assert spans["playout"].attributes == {"mien.delay_ms": 60.0, "mien.av_offset_ms": 4.0}
    assert root.attributes["mien.outcome"] == "completed"
    told = str([span.to_json() for span in spans.values()])
    assert "marmalade" not in told
    assert "9abcdef" not in told  # who knows all of a session's id may come back to it


def test_typed_words_and_failures_are_traces_too():
    typed = traced(Answered("s", 1, "r", "joe", "interrupted", 9.0, Waterfall(1, 8.0, {"sent": 0.2})))
    assert set(typed) == {"turn", "sent", "answer"}
    failed = traced(Answered("s", 1, "r", "joe", "failed", 9.0, error="marmalade"))
    assert set(failed) == {"turn"}
    assert failed["turn"].status.status_code is StatusCode.ERROR
    assert "marmalade" not in failed["turn"].to_json()


def test_turns_of_a_server_are_traced(server, monkeypatch):
    from tests.serve.client import connected

    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    watchers = server.site.house.watch.watchers
    monkeypatch.setattr(server.site.house.watch, "watchers", [*watchers, traces.Traces(provider)])

    async def main():
        async with connected(server.ws) as client:
            await client.ask("Hello.")
            first = await client.until("response.output_audio.delta")
            await client.send("mien.presented", response_id=first["response_id"], ms=5.0)
            await client.until("response.done")

    asyncio.run(main())
    spans = {span.name for span in exporter.get_finished_spans()}
    assert {"turn", "understanding", "breath", "sound", "sent", "playout", "answer"} <= spans


@pytest.mark.parametrize(
    ("name", "value"), [("OTEL_TRACES_EXPORTER", "zipkin"), ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")]
)
def test_what_can_not_be_followed_is_an_error(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    with pytest.raises(InputError, match=name):
        traces.provider()


def test_the_environment_says_where_and_as_whom(monkeypatch):
    monkeypatch.setenv("OTEL_SERVICE_NAME", "reception")
    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "site=lobby")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    made = traces.provider()
    assert made.resource.attributes["service.name"] == "reception"
    assert made.resource.attributes["site"] == "lobby"
    made.shutdown()


def test_nothing_is_imported_unless_asked_for():
    code = (
        "import sys; from mien.serve.options import ServeOptions; from mien.serve.site import Site; "
        "from mien.serve.app import application; application(Site.of(ServeOptions(persona='joe'))); "
        "print([each for each in sys.modules if each.startswith('opentelemetry.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "opentelemetry.sdk" not in done.stdout  # the API alone, which does nothing, is a part of FastAPI
    assert "exporter" not in done.stdout
