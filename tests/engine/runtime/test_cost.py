import pytest

from mien.engine.runtime.cost import Costs


@pytest.fixture
def costs():
    made = Costs()
    for size, seconds in ((1, 1.0), (2, 1.2), (4, 1.6), (8, 4.0)):
        made.record("k", size, seconds, 100)
    return made


def test_between_and_beyond_what_was_measured(costs):
    assert costs.predict("k", 3) == pytest.approx(1.4)
    assert costs.predict("k", 10) == pytest.approx(5.2)
    assert costs.curve("k") == {1: 1.0, 2: 1.2, 4: 1.6, 8: 4.0}


def test_the_cheapest_size_is_the_knee(costs):
    assert costs.best("k", 8) == 4
    assert costs.best("k", 3) == 3
    assert costs.best("k", 1) == 1


def test_another_kind_is_guessed_by_its_size_and_then_learned(costs):
    assert costs.predict("long", 4, 200) == pytest.approx(3.2)
    costs.record("long", 4, 9.0, 200)
    assert costs.predict("long", 4) == 9.0
    costs.record("long", 4, 4.0, 200)
    assert costs.predict("long", 4) == pytest.approx(8.0)
    assert Costs().predict("new", 4) == 0.0


def test_one_measured_size_is_taken_to_gain_by_batching():
    costs = Costs()
    costs.record("k", 1, 1.0)
    assert costs.predict("k", 2) == 1.5
    assert costs.best("k", 8) == 8


def test_old_kinds_are_forgotten():
    costs = Costs()
    for kind in range(1_000):
        costs.record(kind, 1, 1.0)
    assert costs.curve(0) == {}
    assert costs.curve(999) == {1: 1.0}
