import pytest

from mien.bench.timed.budget import Budget, in_turn, timed_ms


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def test_it_stops_when_the_time_is_spent_and_keeps_the_warm_up_apart():
    clock = Clock()

    def takes(seconds, values):
        def call():
            clock.now += seconds
            return next(values)

        return call

    calls = {"a": takes(1.0, iter(range(100))), "b": takes(2.0, iter(range(100, 200)))}
    taken = in_turn(calls, Budget(20.0, clock), warm_up=2)
    assert taken["a"].warm_up == [0, 1]
    assert taken["a"].samples == [2, 3, 4, 5, 6]
    assert taken["b"].samples[0] == 102
    assert 20.0 <= clock.now <= 22.0


def test_the_least_is_taken_without_any_time_and_the_most_with_all():
    clock = Clock()
    none = in_turn({"a": lambda: 1.0}, Budget(0.0, clock), least=4)["a"]
    assert len(none.samples) == 4
    assert len(in_turn({"a": lambda: 1.0}, Budget(9.0, clock), most=7)["a"].samples) == 7


def test_a_part_of_a_budget_is_of_what_is_left():
    clock = Clock()
    budget = Budget(10.0, clock)
    clock.now = 4.0
    assert budget.part(0.5).left_s == 3.0
    clock.now = 11.0
    assert budget.is_over
    assert budget.left_s == 0.0


def test_what_comes_before_is_not_timed():
    clock = Clock()

    def slow():
        clock.now += 5.0

    def quick():
        clock.now += 0.25

    assert timed_ms(quick, before=slow, clock=clock)() == 250.0


def test_what_was_taken_before_an_interruption_is_kept():
    given, taken = iter([1.0, 2.0]), {}

    def call():
        try:
            return next(given)
        except StopIteration:
            raise KeyboardInterrupt from None

    with pytest.raises(KeyboardInterrupt):
        in_turn({"a": call}, Budget(9.0, lambda: 0.0), taken=taken)
    assert (taken["a"].warm_up, taken["a"].samples) == ([1.0], [2.0])
