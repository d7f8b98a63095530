from hypothesis import given, settings
from hypothesis import strategies as st

from mien.live.history import History
from mien.live.mind import Exchange


@settings(deadline=None)
@given(st.lists(st.tuples(st.text(max_size=300), st.text(max_size=300)), max_size=60))
def test_it_stays_small_and_keeps_the_newest(said):
    history = History(turns=10, chars=1000)
    for user, answer in said:
        history.add(Exchange(user, answer))
        kept = history.exchanges
        assert 1 <= len(kept) <= 10
        assert len(kept) == 1 or sum(len(e.user) + len(e.answer) for e in kept) <= 1000
        assert kept[-1] == Exchange(user, answer)
    assert history.forgotten + len(history.exchanges) == len(said)


def test_the_last_exchange_can_be_corrected():
    history = History(turns=5, chars=100)
    history.add(Exchange("one", "a long answer"))
    history.replace_last(Exchange("one", "a", cut=True))
    assert history.exchanges == (Exchange("one", "a", cut=True),)
