import pytest

from mien.bench.timed import benches
from mien.bench.timed.benches import BENCHES
from mien.bench.timed.files import Report
from mien.bench.timed.suite import StoppedError, chosen, run
from mien.errors import InputError, ResourceError


class Machine:
    """A clock, and benches that take the time they are given, times `slow`."""

    def __init__(self, slow=1.0, **broken):
        self.now, self.slow, self.broken, self.given = 0.0, slow, broken, {}

    def start(self, name, seconds):
        self.given[name] = seconds
        self.now += seconds * self.slow
        if name in self.broken:
            raise self.broken[name]
        return benches.Result(name, complete=True)

    def run(self, seconds):
        report, saved = Report("all"), []
        try:
            run(
                report,
                seconds,
                save=lambda: saved.append(len(report.results)),
                start=self.start,
                clock=lambda: self.now,
            )
        finally:
            self.report, self.saved = report, saved
        return report


@pytest.mark.parametrize("minutes", [1, 2, 10, 30])
def test_it_ends_in_time_and_uses_it(minutes):
    machine = Machine()
    machine.run(60 * minutes)
    assert 0.9 * 60 * minutes <= machine.now + 4 <= 60 * minutes + 1e-6


def test_ten_minutes_are_enough_for_all_and_one_minute_says_what_it_leaves_out():
    assert not Machine().run(600).left_out
    machine = Machine()
    left = dict(machine.run(60).left_out)
    assert {"say", "live", "transport"}.isdisjoint(left)
    assert "needs 8 s at least" in left["memory"]
    assert len(machine.given) + len(left) == len(BENCHES)


def test_a_slow_machine_ends_in_time_too():
    machine = Machine(slow=1.5)
    machine.run(600)
    assert machine.now <= 660


def test_what_fails_is_named_and_the_others_go_on():
    machine = Machine(say=ResourceError("no voice; mien packs pull core"))
    report = machine.run(600)
    assert report.left_out == [("say", "no voice; mien packs pull core")]
    assert report.failed == ["say"]
    assert len(report.results) == len(BENCHES) - 1
    assert machine.saved[-1] == len(report.results)


def test_an_interruption_keeps_what_is_done():
    machine = Machine(live=StoppedError(benches.Result("live")))
    with pytest.raises(KeyboardInterrupt):
        machine.run(600)
    assert [each.bench for each in machine.report.results] == ["startup", "say", "live"]
    assert machine.saved == [1, 2, 3]


def test_what_matters_most_and_fits_is_measured_when_there_is_little_time():
    assert [each.name for each in chosen(6.0)] == ["startup"]
    assert [each.name for each in chosen(33.0)] == ["say", "live"]
    assert len(chosen(1e6)) == len(BENCHES)


def test_no_such_bench():
    with pytest.raises(InputError, match="did you mean 'chain'"):
        benches.measure("chian", 1.0)
