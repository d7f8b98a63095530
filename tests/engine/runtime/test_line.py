"""The queue's threads end and begin again while others ask, stop and close: nobody is left waiting."""

import faulthandler
import multiprocessing
import random
import sys
import threading

import pytest

from mien.engine.runtime import Line, ServedEngine, Settings, Terms, asking
from mien.engine.stop import Stop, Stopped

from .nets import CAUSAL, engine, wave

PATIENCE_S = 20.0


@pytest.fixture
def watched():
    """What every thread does is printed when a test does not end."""
    faulthandler.dump_traceback_later(2 * PATIENCE_S, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


class Caller(threading.Thread):
    """Asks engines `count` times, each time on other terms; some requests are stopped by another thread."""

    def __init__(self, engines, seed, count=150):
        super().__init__(daemon=True)
        self._engines, self._dice, self._count = engines, random.Random(seed), count
        self.answered = self.stopped = 0

    def run(self):
        for _ in range(self._count):
            try:
                self._ask()
                self.answered += 1
            except Stopped:
                self.stopped += 1

    def _ask(self):
        dice, stop, length = self._dice, Stop(), self._dice.randint(1, 6)
        within_s = dice.choice([None, None, 1e-4, 1e-3, 1.0])
        terms = Terms(session=dice.randint(0, 3), priority=dice.randint(-1, 1), within_s=within_s)
        if dice.random() < 0.2:
            threading.Timer(dice.random() * 1e-3, stop.set).start()
        with asking(terms):
            assert dice.choice(self._engines).run(stop, x=wave(length))["out"].shape[-1] == length


@pytest.mark.parametrize(("idle_s", "workers"), [(0.0, 1), (1e-4, 2), (1e-3, 1)])
def test_every_request_ends_while_threads_come_and_go(watched, idle_s, workers):
    lines = [Line(workers, queue_ms=1e9, idle_s=idle_s) for _ in range(2)]
    engines = [ServedEngine(engine(CAUSAL), Settings(most=1, line=line)) for line in lines for _ in range(2)]
    callers = [Caller(engines, seed) for seed in range(8)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(PATIENCE_S)
    assert not [caller for caller in callers if caller.is_alive()]
    assert all(caller.answered + caller.stopped == 150 for caller in callers)
    assert all(caller.answered > 75 for caller in callers)
    for line in lines:
        line.workers.close()


def asked(served):
    """Ask in a thread; return what came: outputs, or `MemoryError`, or nothing within the patience."""
    got = []

    def run():
        with asking(Terms()):
            try:
                got.append(served.run(x=wave()))
            except MemoryError as error:
                got.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(PATIENCE_S)
    return got


class Breaks:
    """A clock of a queue that is broken once."""

    def __init__(self):
        self.broken = True

    def __call__(self):
        if self.broken:
            self.broken = False
            raise MemoryError
        return 0.0


def test_a_thread_that_fails_tells_who_waits_and_is_replaced(monkeypatch, watched):
    failed = threading.Event()
    monkeypatch.setattr(threading, "excepthook", lambda _: failed.set())
    line = Line(clock=Breaks())
    with ServedEngine(engine(CAUSAL), Settings(most=1, line=line)) as served:
        assert isinstance(asked(served)[0], MemoryError)
        assert failed.wait(PATIENCE_S)
        assert "out" in asked(served)[0]
    line.workers.close()


def test_a_thread_that_could_not_be_started_is_tried_again(monkeypatch, watched):
    def refuse(_):
        raise RuntimeError("can't start new thread")

    line = Line()
    with ServedEngine(engine(CAUSAL), Settings(most=1, line=line)) as served, asking(Terms()):
        with monkeypatch.context() as patched:
            patched.setattr(threading.Thread, "start", refuse)
            with pytest.raises(RuntimeError):
                served.run(x=wave())
        assert "out" in asked(served)[0]
    line.workers.close()


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_process_that_is_forked_has_threads_of_its_own(watched):
    line = Line()
    with ServedEngine(engine(CAUSAL), Settings(most=1, line=line)) as served:
        assert "out" in asked(served)[0]  # the thread waits for more now

        def child():
            sys.exit(0 if asked(served) else 1)

        process = multiprocessing.get_context("fork").Process(target=child)
        process.start()
        process.join(PATIENCE_S)
        process.kill()
        assert process.exitcode == 0
    line.workers.close()
