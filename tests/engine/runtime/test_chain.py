import numpy as np
import pytest

from mien.engine.runtime.chain import Chain, Limits, Link
from mien.engine.runtime.memory import Level
from mien.engine.stop import Stop, Stopped
from mien.errors import InputError, ResourceError

from .nets import CAUSAL, LOOKUP, Wrapped, engine, wave


class Slow(Wrapped):
    """A real engine whose runs take what `ms` says on the test's clock, and which fails when told to."""

    def __init__(self, clock, ms, text=CAUSAL):
        super().__init__(engine(text))
        self._clock, self.ms, self.error, self.runs = clock, ms, None, 0

    def run(self, stop=None, /, **inputs):
        self.runs += 1
        self._clock.now += self.ms / 1e3
        if self.error:
            raise self.error
        return self._inner.run(stop, **inputs)


@pytest.fixture
def parts(clock):
    return Slow(clock, 10), Slow(clock, 40)


@pytest.fixture
def full():
    return []  # what the first link's memory is said to be


@pytest.fixture
def chain(parts, clock, full):
    fast, slow = parts

    def load():
        clock.now += 0.2
        return slow

    links = [Link("fp16", lambda: fast, lambda: full[0] if full else None), Link("cpu", load)]
    return Chain(links, Limits(launch_ms=500, cooldown_s=5), clock)


def test_a_slow_launch_gives_its_result_and_falls_back(chain, parts, clock):
    fast, slow = parts
    expected = engine(CAUSAL).run(x=wave())["out"]
    for ms in (10, 700, 10):
        fast.ms = ms
        np.testing.assert_array_equal(chain.run(x=wave())["out"], expected)
    assert (fast.runs, slow.runs) == (2, 1)
    assert chain.states()["fp16"].startswith("open (a run took 700 ms; 500 ms are allowed; next try in 4.8")
    assert chain.states()["cpu"] == "closed"


def test_the_first_run_may_take_longer(chain, parts):
    parts[0].ms = 700
    chain.run(x=wave())
    assert chain.states()["fp16"] == "closed"


def test_the_first_run_of_another_size_may_take_longer(chain, parts):
    chain.run(x=wave())
    parts[0].ms = 700
    chain.run(x=wave(16))
    assert chain.states()["fp16"] == "closed"
    chain.run(x=wave(16))
    assert chain.states()["fp16"].startswith("open")


def test_an_error_is_answered_by_the_next_link_and_the_way_back_is_tried(chain, parts, clock):
    fast, _ = parts
    fast.error = ResourceError("the driver is gone")
    assert chain.run(x=wave())["out"].shape == (1, 1, 8)
    assert "the driver is gone" in chain.states()["fp16"]
    clock.now += 5
    chain.run(x=wave())  # the try fails too: twice the wait
    assert fast.runs == 2
    clock.now += 6
    chain.run(x=wave())
    assert fast.runs == 2
    fast.error = None
    clock.now += 6
    chain.run(x=wave())
    assert fast.runs == 3
    assert chain.states()["fp16"] == "closed"


def test_memory_that_runs_out_falls_back_and_frees_the_engine(chain, parts, full, clock):
    chain.run(x=wave())
    full.append(Level("GPU", 97, 100))
    chain.run(x=wave())  # memory was looked at just now
    assert parts[0].runs == 2
    clock.now += 0.3
    chain.run(x=wave())
    assert (parts[0].runs, parts[1].runs) == (2, 1)
    assert "GPU has 97% of its memory used; 95% is allowed" in chain.states()["fp16"]
    assert chain._rungs[0].engine is None
    full[0] = Level("GPU", 50, 100)
    clock.now += 5
    chain.run(x=wave())
    assert parts[0].runs == 3


def test_the_price_is_measured_in_its_parts(chain, parts):
    fast, slow = parts
    for _ in range(3):
        chain.run(x=wave())
    assert chain.penalties() == []
    fast.error = ResourceError("gone")
    slow.ms = 90
    chain.run(x=wave())
    slow.ms = 40
    for _ in range(3):
        chain.run(x=wave())
    (found,) = chain.penalties()
    assert (found.wanted, found.to) == ("fp16", "cpu")
    assert found.ratio == pytest.approx(4.0)
    assert found.wanted_ms == pytest.approx(10)
    assert found.steady_ms == pytest.approx(40)
    assert found.load_ms == pytest.approx(200)
    assert found.first_ms == pytest.approx(50)


def test_inputs_that_no_link_can_compute_set_none_aside(clock):
    links = [Link(name, lambda: engine(LOOKUP)) for name in ("one", "two")]
    chain = Chain(links, Limits(), clock)
    with pytest.raises(InputError, match="can not compute"):
        chain.run(i=np.array([[9]]))
    with pytest.raises(InputError, match="has no input"):
        chain.run(j=np.array([[9]]))
    assert chain.states() == {"one": "closed", "two": "closed"}


def test_a_try_that_is_stopped_does_not_end_the_tries(chain, parts, clock):
    fast, _ = parts
    fast.error = ResourceError("gone")
    chain.run(x=wave())
    fast.error = None
    clock.now += 5
    stop = Stop()
    stop.set()
    with pytest.raises(Stopped):
        chain.run(stop, x=wave())
    chain.run(x=wave())
    assert chain.states()["fp16"] == "closed"


def test_a_try_that_breaks_does_not_end_the_tries(chain, parts, clock):
    fast, _ = parts
    fast.error = ResourceError("gone")
    chain.run(x=wave())
    clock.now += 5
    fast.error = MemoryError()
    with pytest.raises(MemoryError):
        chain.run(x=wave())
    fast.error = None
    chain.run(x=wave())
    assert chain.states()["fp16"] == "closed"


def test_a_link_that_does_not_load_is_left_out(clock):
    def broken():
        raise ResourceError("no CUDA here")

    chain = Chain([Link("cuda", broken), Link("cpu", lambda: engine(CAUSAL))], Limits(), clock)
    assert chain.run(x=wave())["out"].shape == (1, 1, 8)
    assert "no CUDA here" in chain.states()["cuda"]
    with pytest.raises(ResourceError):
        Chain([Link("cuda", broken)], Limits(), clock)
    with pytest.raises(InputError, match="one engine at least"):
        Chain([])
