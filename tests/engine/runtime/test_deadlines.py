from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from mien.engine.runtime.deadlines import schedule
from mien.engine.runtime.ticket import Terms, Ticket


def ticket(deadline, number=0, priority=0):
    made = Ticket({}, "k", 1, Terms(priority=priority), deadline, lambda *_: None)
    made.number = number
    return made


def tickets(deadlines):
    return [ticket(deadline, i) for i, deadline in enumerate(deadlines)]


def ends(sizes, start, cost):
    """When each request ends that runs in batches of these sizes."""
    now, found = start, []
    for size in sizes:
        now += cost(size)
        found += [now] * size
    return found


def splits(count, most):
    if count == 0:
        yield ()
    for first in range(1, min(count, most) + 1):
        for rest in splits(count - first, most):
            yield (first, *rest)


def possible(deadlines, start, cost, most):
    """Whether any order in any batches keeps all: tried one by one."""
    return any(
        all(end <= deadline for end, deadline in zip(ends(sizes, start, cost), order, strict=True))
        for order in set(permutations(deadlines))
        for sizes in splits(len(deadlines), most)
    )


COSTS = st.lists(st.integers(1, 6), min_size=3, max_size=3)


@given(st.lists(st.integers(1, 20), min_size=1, max_size=5), COSTS)
def test_all_are_kept_whenever_any_schedule_keeps_them(deadlines, steps):
    def cost(size):
        return sum(steps[:size])

    found = schedule(tickets(deadlines), 0.0, cost, 3)
    assert (len(found.met) == len(deadlines)) == possible(deadlines, 0.0, cost, 3)
    assert sum(found.sizes) == len(found.met)
    for end, each in zip(ends(found.sizes, 0.0, cost), found.met, strict=True):
        assert end <= each.deadline


def test_a_larger_batch_waits_when_it_would_make_the_first_late():
    def cost(size):
        return 10 + size  # two together: 12; one after the other: 22

    assert schedule(tickets([11, 30]), 0.0, cost, 8).sizes == (1, 1)
    assert schedule(tickets([12, 13]), 0.0, cost, 8).sizes == (2,)


def test_who_can_not_be_served_is_the_least_important():
    urgent = [ticket(10, 0, priority=1), ticket(10, 1, priority=0), ticket(10, 2, priority=0)]
    found = schedule(urgent, 0.0, lambda size: 5.0 * size, 8)
    assert [each.number for each in found.met] == [1, 2]
    assert schedule([], 0.0, lambda _: 1.0, 8).first == ()
    assert schedule(tickets([1]), 5.0, lambda _: 1.0, 8).met == ()
