import pytest

from mien.errors import ResourceError
from mien.live.admission import Admission
from mien.live.waterfall import Waterfall


def test_the_one_too_many_is_refused_and_places_come_back():
    admission = Admission(most=2)
    with admission.admit(), admission.admit():
        with pytest.raises(ResourceError, match="2 of 2"), admission.admit():
            pass
        assert admission.sessions == 2
    with admission.admit():
        assert admission.sessions == 1


def test_nobody_is_let_in_while_answers_are_slow():
    admission = Admission(slowest_s=0.5)
    with admission.admit():
        for _ in range(4):
            admission.note(Waterfall(1, 0.0, {"sent": 2.0}))
        with pytest.raises(ResourceError, match=r"2\.0 s"), admission.admit():
            pass
    with admission.admit():  # nobody talks: it may be fast again
        assert admission.answered_s == 0.0
