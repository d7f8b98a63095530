"""The benches themselves, on little time: that they give what the report needs."""

import json
import ssl
import threading
from http.client import HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from click.testing import CliRunner

from mien.bench.timed import batch, chain, fallback, memory, startup
from mien.bench.timed.benches import measure
from mien.bench.timed.budget import Taken
from mien.bench.timed.material import latent, vocoder
from mien.bench.timed.proxy import proxied
from mien.bench.timed.result import Result
from mien.cli.bench import command
from mien.engine.backends import onnxruntime
from mien.engine.wrapper import Around
from mien.errors import ResourceError


def test_a_bench_gives_series_plots_and_its_noise():
    result = measure("batch", 1.0, "mien bench batch")
    assert result.complete
    assert all(len(each.samples) >= 3 for each in result.series)
    assert all(each.warm_up for each in result.series)
    assert result.plots
    assert result.environment["cores"]
    assert result.noise.loop_before_ms > 0
    assert Result.from_json(json.loads(json.dumps(result.to_json()))).plots == result.plots


def test_an_interrupted_bench_gives_what_it_has(monkeypatch):
    def interrupted(_budget, result, _tell):
        result.add("so far", "ms", [1.0, 2.0])
        raise KeyboardInterrupt

    monkeypatch.setattr(batch, "run", interrupted)
    result = measure("batch", 60.0)
    assert not result.complete
    assert result.series[0].samples == (1.0, 2.0)
    assert "ended before it was through" in result.notes[0]


class Hands:
    """A clock that is moved by hand."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


class Takes(Around):
    """An engine whose runs take so many seconds of a clock."""

    def __init__(self, engine, clock, seconds):
        self._engine, self._clock, self._seconds = engine, clock, seconds

    def run(self, stop=None, /, **inputs):
        self._clock.now += self._seconds
        return self._engine.run(stop, **inputs)


def test_a_fall_has_a_price_in_parts():
    clock = Hands()

    def next_one():
        clock.now += 0.2
        return Takes(onnxruntime.plain(vocoder()), clock, 0.03)

    way = fallback.Way("a → b", lambda: Takes(onnxruntime.load(vocoder()), clock, 0.01), next_one)
    row = fallback.fall(way, latent(), clock)
    assert row == pytest.approx({"wanted": 10.0, "recompute": 30.0, "state": 200.0, "whole": 230.0})
    result = Result("fallback")
    fallback.show(result, {"a → b": [row, row, row]})
    assert set(result.plots[0].rows["a → b"]) == {"recompute", "state"}


def test_a_way_whose_engine_is_not_here_is_left_out():
    def none():
        raise ResourceError("no CUDA here")

    with pytest.raises(ResourceError, match="no CUDA here"):
        fallback.fall(fallback.Way("GPU → CPU", none, lambda: onnxruntime.load(vocoder())), latent())


def test_the_knee_is_the_smallest_batch_with_nine_tenths_of_the_best():
    assert batch.knee({1: 100.0, 2: 190.0, 4: 240.0, 8: 250.0}) == 4
    assert batch.knee({1: 100.0, 2: 90.0}) == 1
    assert batch.fitting(0.04, 6.0) == (1, 2, 4, 8)
    assert batch.fitting(1.0, 1.0) == (1, 2)


def test_batches_show_throughput_tail_and_cores():
    result = Result("batch")
    taken = {"1": Taken([10.0] * 5, [12.0]), "2": Taken([11.0] * 5, [12.0])}
    batch.show(result, taken, {"1": [0.9] + [0.5] * 5, "2": [0.1] + [0.8] * 5})
    (curves,) = result.plots
    assert curves.mark == (2, "knee")
    assert dict(curves.panels[0].lines["mien"])[2] == pytest.approx(2000 / 11)
    assert dict(curves.panels[2].lines["of all cores"]) == {1: pytest.approx(50), 2: pytest.approx(80)}


def test_memory_tells_a_leak_from_noise():
    still, leaking = Result("memory"), Result("memory")
    rng = np.random.default_rng(0)
    memory.show(still, [{"resident": 500 + float(rng.normal(0, 2)), "holes": 0.2} for _ in range(10)])
    memory.show(leaking, [{"resident": 500.0 + 8 * i, "holes": 0.2} for i in range(10)])
    told = [{name: value for name, value, _ in each.facts}["leak"] for each in (still, leaking)]
    assert told[0].startswith("none")
    assert told[1].startswith("yes")
    assert 0.0 <= memory.holes() < 1.0


def test_the_parts_of_a_picture_add_up_to_its_time():
    result = Result("chain")
    keys = [("camera", "copy"), ("detector", "pre"), ("detector", "run"), ("detector", "post")]
    rows = [dict(zip(keys, (0.001, 0.002, 0.004, 0.001), strict=True)) for _ in range(8)]
    chain.show(result, rows, {"detector": 90.0})
    shares = [value for name, value, _ in result.facts if name.startswith("share of")]
    assert sum(shares) == pytest.approx(100)
    assert result.series[0].samples[0] == pytest.approx(8.0)
    assert result.plots[0].stages[-1] == ("detector: post", pytest.approx(7.0), pytest.approx(1.0))


def test_a_process_that_fails_is_named():
    with pytest.raises(ResourceError, match="ended with 1: ValueError: no"):
        startup._called("-c", "raise ValueError('no')")


def test_files_can_be_dropped_from_memory_and_are_whole_afterwards(tmp_path):
    (tmp_path / "x").write_bytes(b"abc" * 1000)
    startup.drop([tmp_path / "x", tmp_path / "none"])
    assert (tmp_path / "x").read_bytes() == b"abc" * 1000


class Echo(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *args):
        pass


def test_the_proxy_speaks_tls_and_only_its_own_certificate_is_trusted():
    with ThreadingHTTPServer(("127.0.0.1", 0), Echo) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with proxied(("127.0.0.1", server.server_port)) as proxy:
            client = HTTPSConnection("localhost", proxy.place[1], context=proxy.trusting, timeout=10)
            client.request("GET", "/")
            assert client.getresponse().read() == b"ok"
            client.close()
            stranger = HTTPSConnection(
                "localhost", proxy.place[1], context=ssl.create_default_context(), timeout=10
            )
            with pytest.raises(ssl.SSLCertVerificationError):
                stranger.request("GET", "/")
        server.shutdown()


def test_the_command_writes_json_and_a_page(tmp_path):
    out = tmp_path / "batch.html"
    done = CliRunner().invoke(command, ["batch", "--seconds", "1", "-o", str(out)], catch_exceptions=False)
    assert done.exit_code == 0
    assert "knee: " in done.output
    assert 'class="knee"' in out.read_text()
    wrong = CliRunner().invoke(command, ["batch", "--seconds", "1", "-o", str(tmp_path / "x.pdf")])
    assert "end its name in .json or .html" in str(wrong.exception)
