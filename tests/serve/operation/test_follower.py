"""What is told of a session whose outputs came at known times."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from mien.face.pose import FaceTrack
from mien.live import (
    Committed,
    Done,
    Failed,
    Held,
    Interrupted,
    Listening,
    Stretch,
    Unspoken,
    Waterfall,
    clock,
)
from mien.serve.operation.follower import Follower
from mien.serve.operation.watch import Answered, Presented, Stopped, Watch


@dataclass
class Seen:
    all: list = field(default_factory=list)

    def see(self, happening):
        self.all.append(happening)

    def close(self):
        pass

    def of(self, kind):
        return [each for each in self.all if isinstance(each, kind)]


@dataclass
class Counting:
    """The counts of a live session."""

    underruns: int = 0
    clamped: dict = field(default_factory=dict)


LISTENING_FACE = Stretch(1, 0, 400, FaceTrack.empty())


def follow(*steps):
    """Take outputs, each at its time; return what was told."""
    seen, live = Seen(), Counting()

    async def main():
        follower = Follower(Watch([seen]), "sess_one")
        for at_s, output in steps:
            await wait_until(at_s)
            if isinstance(output, Counting):
                live.underruns, live.clamped = output.underruns, output.clamped
            elif isinstance(output, tuple):
                follower.presented(*output)
            else:
                follower.took(output, live, "joe", "resp_one")

    clock.run(main())
    return seen


async def wait_until(at_s):
    import asyncio

    await asyncio.sleep(at_s - clock.now())  # of a clock that skips


def test_a_voice_that_interrupts_is_timed_to_the_cut_and_to_the_listening_face():
    seen = follow(
        (1.0, Committed(1, "a question", "en")),
        (5.1, Listening(0, 5.0)),
        (5.12, Held(1, 9000)),
        (5.13, LISTENING_FACE),
        (5.6, LISTENING_FACE),
        (5.7, Interrupted(1, 9000, "an ans", 0.4, Waterfall(1, 1.0))),
    )
    stops = [(each.face, pytest.approx(each.seconds)) for each in seen.of(Stopped)]
    assert stops == [(False, 0.12), (True, 0.13)]
    (turn,) = seen.of(Answered)
    assert (turn.outcome, turn.asked, turn.heard, turn.ended_s) == (
        "interrupted", "a question", "an ans", pytest.approx(5.7),
    )  # fmt: skip


def test_what_a_client_stops_is_no_barge_in():
    seen = follow(
        (1.0, Listening(0, 1.0)),
        (1.5, Unspoken("noise")),
        (2.0, Committed(1, "typed", "en")),
        (5.0, Interrupted(1, 9000, "", 0.4, Waterfall(1, 1.0))),
        (5.1, LISTENING_FACE),
    )
    assert seen.of(Stopped) == []
    assert seen.of(Answered)[0].voice_s is None


def test_a_turn_knows_its_voice_its_client_and_its_own_counts():
    seen = follow(
        (1.1, Listening(0, 1.0)),
        (3.0, Committed(4, "spoken", "en")),
        (3.4, ("resp_one", 80.0, 3.0)),
        (4.0, Counting(2, {"range": 5, "speed": 1})),
        (5.0, Done(4, "all of it", Waterfall(4, 2.8, {"sent": 0.25}))),
        (6.0, Committed(5, "again", "en")),
        (6.5, Counting(3, {"range": 5, "speed": 4})),
        (7.0, Failed(5, "no words")),
    )
    one, other = seen.of(Answered)
    assert (one.voice_s, one.presented.ms, one.underruns, dict(one.clamped)) == (
        1.0, 80.0, 2, {"range": 5, "speed": 1},
    )  # fmt: skip
    assert (other.outcome, other.underruns, dict(other.clamped), other.presented) == (
        "failed", 1, {"speed": 3}, None,
    )  # fmt: skip


def test_an_answer_is_presented_once():
    seen = follow((1.0, ("resp_one", 80.0, 3.0)), (1.1, ("resp_one", 9000.0, 99.0)))
    assert [each.ms for each in seen.of(Presented)] == [80.0]


def test_a_client_that_reports_without_end_is_bounded():
    seen = follow(*((float(np.float32(n) / 100), (f"resp_{n}", 1.0, None)) for n in range(500)))
    assert len(seen.of(Presented)) == 500
