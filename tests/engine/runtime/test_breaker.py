from hypothesis import given
from hypothesis import strategies as st

from mien.engine.runtime.breaker import Breaker, State


def test_a_failure_opens_and_one_try_decides():
    breaker = Breaker(cooldown_s=5)
    assert breaker.allows(0)
    breaker.failed(0, "slow")
    assert not breaker.allows(4.9)
    assert breaker.wait_s(2) == 3
    assert breaker.allows(5)
    assert breaker.state is State.HALF_OPEN
    assert not breaker.allows(5)  # one try at a time
    breaker.succeeded()
    assert breaker.state is State.CLOSED
    assert breaker.reason == ""


def test_each_failed_try_doubles_the_wait_up_to_the_longest():
    breaker, now, waits = Breaker(cooldown_s=5, longest_s=30), 0.0, []
    for _ in range(5):
        assert breaker.allows(now)
        breaker.failed(now, "slow")
        waits.append(breaker.wait_s(now))
        now += waits[-1]
    assert waits == [5, 10, 20, 30, 30]
    assert breaker.allows(now)
    breaker.succeeded()
    breaker.failed(now, "again")
    assert breaker.wait_s(now) == 5


def test_a_try_that_told_nothing_is_given_back():
    breaker = Breaker(cooldown_s=5)
    breaker.failed(0, "slow")
    assert breaker.allows(5)
    breaker.undecided(6)
    assert breaker.allows(6)
    assert not breaker.allows(6)


@given(st.lists(st.tuples(st.sampled_from(["ask", "good", "bad", "none"]), st.floats(0, 20)), max_size=50))
def test_it_can_always_come_back(steps):
    breaker, now = Breaker(cooldown_s=5, longest_s=40), 0.0
    for what, later in steps:
        now += later
        if what == "ask":
            breaker.allows(now)
        elif what == "good":
            breaker.succeeded()
        elif what == "bad":
            breaker.failed(now, "bad")
        else:
            breaker.undecided(now)
    if breaker.state is State.HALF_OPEN:
        breaker.undecided(now)
    assert breaker.allows(now + 40)
