import numpy as np
import pytest

from mien.bench.timed.files import Report
from mien.bench.timed.noise import Noise
from mien.bench.timed.plots import Curves, Front, Grid, Panel, Shares, Waterfall
from mien.bench.timed.result import Result

QUIET = Noise(loop_before_ms=2.0, loop_after_ms=2.0)


def made(bench="engine", scale=1.0, count=40, seed=0, noise=QUIET, spread=0.02):
    """A result with series and a plot of every kind."""
    rng = np.random.default_rng(seed)
    result = Result(bench, "A <title> & more", f"mien bench {bench} --seconds 5", 5.0, 4.9, complete=True)
    result.noise = noise
    result.add("fast", "ms", list(scale * rng.normal(10, 10 * spread, count)), group="times")
    result.add("slow", "ms", list(rng.normal(200, 200 * spread, count)), group="times")
    result.add("rate", "1/s", list(rng.normal(50, 50 * spread, count) / scale), better="higher")
    result.fact("knee", 4, "requests")
    result.fact("leak", "none")
    panel = Panel(
        "Rate", "1/s", {"a": ((1, 10.0), (2, 18.0), (4, 20.0)), "b": ((1, 9.0), (4, 12.0))}, limit=30.0
    )
    result.plots += [
        Waterfall("Stages", (("one", 0.0, 3.0), ("two", 3.0, 9.5))),
        Curves("Batches", "requests", (panel, panel, panel), (2, "knee"), doubles=True),
        Front("Front", "ms", "%", (("x", 1.0, 5.0), ("y", 2.0, 1.0), ("z", 3.0, 6.0))),
        Shares("Parts", "ms", {"whole": {"copy": 1.0, "run": 5.0}, "other": {"copy": 0.0, "run": 2.0}}),
        Grid("Grid", ("m",), ("t", "u"), {"m": {"t": ("ok", "run here"), "u": ("failed", "Gelu")}}),
    ]
    return result


@pytest.fixture
def report():
    return Report("mien bench all --minutes 1", [made()], [("live", "no time")], asked_s=60, took_s=58)
