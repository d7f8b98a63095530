from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mien.engine.runtime.cost import Costs
from mien.engine.runtime.deadlines import schedule
from mien.engine.runtime.ticket import Terms, Ticket
from mien.engine.runtime.waiting import Waiting
from mien.engine.stop import Stopped
from mien.errors import ResourceError


def known(**kinds):
    costs = Costs()
    for kind, curve in kinds.items():
        for size, seconds in curve.items():
            costs.record(kind, size, seconds)
    return costs


def ticket(kind="k", deadline=None, done=lambda *_: None, **terms):
    return Ticket({}, kind, 1, Terms(**terms), deadline, done)


@pytest.fixture
def queue(clock):
    return Waiting(known(k={1: 1.0, 4: 2.0}, other={1: 1.0}), clock, most=4, limit_s=100.0)


def sessions(batch):
    return [each.terms.session for each in batch]


def test_sessions_take_turns_however_much_one_asks(queue):
    for _ in range(6):
        queue.offer(ticket(session="greedy"))
    queue.offer(ticket(session="modest"))
    queue.offer(ticket(session="modest"))
    assert Counter(sessions(queue.take())) == {"greedy": 2, "modest": 2}
    assert sessions(queue.take()) == ["greedy"] * 4
    assert queue.take() == ()


def test_a_session_that_paused_has_not_saved_up_turns(queue):
    for _ in range(8):
        queue.offer(ticket(session="old"))
    queue.take()
    for _ in range(4):
        queue.offer(ticket(session="new"))
    assert Counter(sessions(queue.take())) == {"old": 2, "new": 2}


def test_priority_goes_first(queue):
    queue.offer(ticket(session="later", priority=1))
    queue.offer(ticket(session="now", priority=0, kind="other"))
    assert sessions(queue.take()) == ["now"]


def test_only_one_kind_is_in_a_batch(queue):
    for kind in ("k", "other", "k"):
        queue.offer(ticket(kind))
    assert [each.kind for each in queue.take()] == ["k", "k"]
    assert [each.kind for each in queue.take()] == ["other"]


def test_a_deadline_that_can_be_kept_goes_before_the_fair_order(queue):
    for i in range(4):
        queue.offer(ticket(session=i))
    queue.offer(ticket("other", deadline=1.5, session="urgent", priority=1))
    assert sessions(queue.take()) == ["urgent"]
    assert len(queue.take()) == 4


def test_a_batch_shrinks_so_that_no_deadline_is_missed(queue):
    for i in range(4):
        queue.offer(ticket(session=i))
    queue.offer(ticket("other", deadline=2.6, session="urgent"))
    assert len(queue.take()) == 2  # four take 2 s: the urgent one would end at 3; two take 1.33 s


def test_a_deadline_that_is_lost_does_not_hold_up_the_rest(queue, clock):
    clock.now = 10.0
    queue.offer(ticket(deadline=3.0, session="lost"))
    queue.offer(ticket(deadline=11.2, session="kept"))
    assert sessions(queue.take()) == ["kept"]
    assert sessions(queue.take()) == ["lost"]


def test_a_full_queue_says_so_and_takes_what_it_can(clock):
    queue = Waiting(known(k={1: 0.5, 2: 1.0}), clock, most=2, limit_s=1.2)
    queue.offer(ticket())
    queue.offer(ticket())
    with pytest.raises(ResourceError, match=r"busy: 1000 ms of work wait and 1200 ms are allowed; ask again"):
        queue.offer(ticket())
    queue.take()
    assert queue.work_s == pytest.approx(0.5)
    queue.offer(ticket())
    assert queue.work_s == pytest.approx(1.0)


def test_one_request_is_always_accepted(clock):
    queue = Waiting(known(k={1: 50.0}), clock, most=2, limit_s=1.0)
    queue.offer(ticket())
    assert len(queue.take()) == 1


def test_a_newer_generation_drops_what_waits(queue):
    told = []
    queue.offer(ticket(session="a", generation=1, done=lambda *got: told.append(got)))
    queue.offer(ticket(session="b", generation=1))
    queue.offer(ticket(session="a", generation=2))
    batch = queue.take()
    assert [(each.terms.session, each.terms.generation) for each in batch] == [("b", 1), ("a", 2)]
    assert isinstance(told[0][1], Stopped)
    queue.offer(ticket(session="a", generation=1))
    assert queue.take() == ()
    queue.offer(ticket(session="b", generation=1))
    queue.advance("b", 2)
    assert queue.take() == ()


def test_what_was_cancelled_is_not_run(queue):
    gone, here = ticket(session="a"), ticket(session="b")
    queue.offer(gone)
    queue.offer(here)
    gone.cancelled = True
    assert queue.take() == (here,)


def test_sessions_that_left_are_forgotten(queue):
    queue.offer(ticket(session="patient", priority=0, kind="other"))
    for i in range(150):
        queue.offer(ticket(session=i, priority=i % 3))
    while queue.take():
        pass
    assert queue._fair == {}


@given(
    st.lists(st.tuples(st.one_of(st.none(), st.integers(1, 24)), st.integers(0, 2)), min_size=1, max_size=10),
    st.lists(st.integers(1, 5), min_size=4, max_size=4),
)
def test_no_deadline_is_missed_that_all_could_have_met(asked, steps):
    now = [0.0]
    costs = known(k={size: float(sum(steps[:size])) for size in range(1, 5)})
    queue = Waiting(costs, lambda: now[0], most=4, limit_s=1e6)
    tickets = [ticket(deadline=deadline, session=session) for deadline, session in asked]
    timed = [each for each in tickets if each.deadline is not None]
    all_fit = len(schedule(timed, 0.0, lambda n: costs.predict("k", n), 4).met) == len(timed)
    for each in tickets:
        queue.offer(each)
    served = []
    while batch := queue.take():
        now[0] += costs.predict("k", len(batch))
        served += batch
        if all_fit:
            assert all(each.deadline is None or now[0] <= each.deadline for each in batch)
    assert sorted(map(id, served)) == sorted(map(id, tickets))
