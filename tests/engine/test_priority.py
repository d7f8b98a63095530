import threading
from concurrent.futures import CancelledError

import pytest

from mien.engine.priority import URGENT, USEFUL, PriorityThread
from mien.engine.stop import Stop, Stopped


@pytest.fixture
def worker():
    made = PriorityThread("test")
    yield made
    made.close()


def test_the_urgent_comes_first_else_in_order(worker):
    gate, order = threading.Event(), []
    first = worker.submit(gate.wait)
    made = [
        worker.submit(lambda name=name: order.append(name), urgency)
        for name, urgency in (("a", USEFUL), ("b", USEFUL), ("c", URGENT), ("d", URGENT))
    ]
    gate.set()
    for future in [first, *made]:
        future.result(5)
    assert order == ["c", "d", "a", "b"]


def test_an_error_is_raised_where_the_result_is_read(worker):
    with pytest.raises(ZeroDivisionError):
        worker.submit(lambda: 1 // 0).result(5)
    assert worker.submit(lambda: 7).result(5) == 7


def test_what_waits_is_cancelled_at_the_end():
    worker, gate = PriorityThread("test"), threading.Event()
    worker.submit(gate.wait)
    waiting = worker.submit(lambda: 1)
    closing = threading.Thread(target=worker.close)
    closing.start()
    with pytest.raises(CancelledError):
        waiting.result(5)
    gate.set()
    closing.join(5)
    with pytest.raises(RuntimeError):
        worker.submit(lambda: 1)


def test_what_is_only_useful_gives_way_to_what_is_urgent(worker):
    begun, stop = threading.Event(), Stop()

    def long():
        begun.set()
        while not stop.is_set:
            pass
        raise Stopped

    useful = worker.submit(long, USEFUL, stop)
    assert begun.wait(5)
    also_useful = worker.submit(lambda: 2, USEFUL)
    assert not stop.is_set
    assert worker.submit(lambda: 1, URGENT).result(5) == 1
    with pytest.raises(Stopped):
        useful.result(5)
    assert also_useful.result(5) == 2
