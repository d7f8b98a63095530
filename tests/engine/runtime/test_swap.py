import asyncio
import re
import threading
from contextlib import suppress

import numpy as np
import pytest

from mien.engine.runtime import ServedEngine
from mien.engine.runtime.chain import Chain, Link
from mien.engine.runtime.share import Share
from mien.errors import CorruptError, InputError, ResourceError

from .nets import CAUSAL, LOOKUP, Wrapped, engine, model, wave

INPUTS = [{"x": wave(seed=seed)} for seed in range(4)]


@pytest.fixture
def served():
    with ServedEngine(engine(CAUSAL)) as made:
        yield made


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "new.onnx"
        path.write_bytes(model(text).SerializeToString())
        return path

    return write


NEAR = CAUSAL.replace("0.25", "0.2501")
FAR = CAUSAL.replace("0.25", "0.5")


def out(served):
    return served.run(**INPUTS[0])["out"]


def test_a_good_engine_takes_over(served, file):
    before = out(served)
    verdict = served.swap(file(NEAR), INPUTS).result(0)
    assert verdict.taken
    assert verdict.count == 4
    assert 0 < verdict.value < 1e-3
    assert not np.array_equal(out(served), before)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (FAR, r"output 'out' has rel-error=0\.\d+; the budget is rel-error=0.001"),
        (LOOKUP, "input 'i' is int64 in the new engine, missing in the old one|input 'x'"),
        (CAUSAL.replace("[2, 0]", "[1, 0]"), r"output 'out' is \(1, 1, 7\), the old engine's \(1, 1, 8\)"),
        (CAUSAL.replace("Tanh", "Log"), "NaN or infinite"),
    ],
)
def test_a_bad_one_is_refused_with_the_reason(served, file, text, reason):
    before = out(served)
    verdict = served.swap(file(text), INPUTS).result(0)
    assert not verdict.taken
    assert re.search(reason, verdict.reason)
    np.testing.assert_array_equal(out(served), before)


def test_a_share_of_live_requests_decides(served, file):
    future = served.swap(file(NEAR), Share(part=0.5, count=3))
    runs = 0
    while not future.done():
        runs += 1
        out(served)
        with suppress(TimeoutError):
            future.result(0.01)
        assert runs < 1000
    assert future.result().taken
    assert future.result().count == 3
    assert runs > 3
    future = served.swap(file(FAR), Share(part=1.0, count=3))
    before = out(served)
    assert "rel-error" in future.result(20).reason
    np.testing.assert_array_equal(out(served), before)


def test_one_canary_at_a_time(served, file):
    with pytest.raises(InputError, match="at least one set of inputs"):
        served.swap(file(NEAR), [])
    served.swap(file(NEAR), Share())
    with pytest.raises(InputError, match="another canary is running"):
        served.swap(file(NEAR), Share())
    with pytest.raises(InputError, match="valid: 0 to 1"):
        Share(part=2)


def test_a_canary_that_was_cancelled_makes_way(served, file):
    cancelled = served.swap(file(NEAR), Share(part=1.0, count=1))
    assert cancelled.cancel()
    before = out(served)
    np.testing.assert_array_equal(out(served), before)
    assert served.swap(file(NEAR), Share(part=1.0, count=1)) is not cancelled


def test_a_canary_on_inputs_ends_no_other(served, file):
    other = served.swap(file(NEAR), Share(part=1.0, count=1))
    with pytest.raises(InputError, match="another canary is running"):
        served.swap(file(NEAR), INPUTS)
    out(served)
    assert other.result(20).taken


def test_what_takes_over_is_loaded_where_the_old_one_ran(file):
    opened = []

    def opens(path):
        opened.append(path)
        return engine(NEAR)

    path = file(NEAR)
    with ServedEngine(engine(CAUSAL), opens=opens) as served:
        assert served.swap(path, INPUTS).result(0).taken
    assert opened == [path]


def test_a_file_that_does_not_load_leaves_the_old_one(served, tmp_path):
    (tmp_path / "bad.onnx").write_bytes(b"text")
    with pytest.raises(CorruptError):
        served.swap(tmp_path / "bad.onnx", INPUTS)
    assert out(served).shape == (1, 1, 8)


def test_no_request_is_lost_while_engines_change(served, file):
    path, stop, changes = file(NEAR), threading.Event(), []

    def change():
        while not stop.is_set():
            changes.append(served.swap(path, INPUTS[:1]).result(0).taken)

    async def ask():
        got = []
        while len(changes) < 3:
            got += await asyncio.gather(*(served.submit(x=wave(seed=i)) for i in range(8)))
        return got

    thread = threading.Thread(target=change)
    thread.start()
    try:
        got = asyncio.run(ask())
    finally:
        stop.set()
        thread.join()
    assert all(changes)
    for i, each in enumerate(got):
        np.testing.assert_allclose(each["out"], engine(CAUSAL).run(x=wave(seed=i % 8))["out"], atol=1e-3)


def test_no_request_waits_for_a_new_engine_that_is_slow_and_its_inputs_stay_as_they_were(file):
    entered, go_on, given = threading.Event(), threading.Event(), []

    class Slow(Wrapped):
        def run(self, stop=None, /, **inputs):
            entered.set()
            assert go_on.wait(20)
            given.append(inputs["x"])
            return self._inner.run(stop, **inputs)

    with ServedEngine(engine(CAUSAL), opens=lambda path: Slow(engine(NEAR))) as served:
        future = served.swap(file(NEAR), Share(part=1.0, count=1))
        x = wave()
        served.run(x=x)
        x[:] = 0
        assert entered.wait(20)
        for _ in range(20):
            out(served)
        assert not future.done()
        go_on.set()
        assert future.result(20).taken
        np.testing.assert_array_equal(given[0], wave())


def test_a_canary_that_still_runs_ends_with_the_engine(file):
    with ServedEngine(engine(CAUSAL)) as served:
        future = served.swap(file(NEAR), Share(part=1.0, count=5))
    assert future.cancelled()
    assert not [each for each in threading.enumerate() if each.name == "mien-canary" and each.join(20)]


def test_fall_backs_stay_when_an_engine_takes_over(file):
    failing = [False]

    class Failing(Wrapped):
        def run(self, stop=None, /, **inputs):
            if failing[0]:
                raise ResourceError("no memory")
            return self._inner.run(stop, **inputs)

    chain = Chain([Link("first", lambda: engine(CAUSAL)), Link("cpu", lambda: engine(CAUSAL))])
    with ServedEngine(chain, opens=lambda path: Failing(engine(NEAR))) as served:
        before = out(served)
        assert served.swap(file(NEAR), INPUTS).result(20).taken
        assert list(served.states()) == ["new.onnx", "cpu"]
        assert not np.array_equal(out(served), before)
        failing[0] = True
        np.testing.assert_array_equal(out(served), before)
        assert "no memory" in served.states()["new.onnx"]
