import asyncio
import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mien.audio import Pcm
from mien.errors import InputError
from mien.speech.listening import (
    Dismissed,
    Event,
    Final,
    Listener,
    Options,
    Partial,
    Pause,
    Resumed,
    SpeechStarted,
    SpeechStopped,
    TurnOptions,
    Woken,
)

RATE_HZ = 48_000
SILENCE = TurnOptions("silence", silence_s=0.3)


async def listen(models, sound: Pcm, cuts: Sequence[int] = (), options: Options | None = None) -> list[Event]:
    async with Listener(models, options, rate_hz=sound.rate_hz) as listener:

        async def feed() -> None:
            edges = [0, *cuts, len(sound)]
            for start, end in itertools.pairwise(edges):
                await listener.push(sound.cut(start, end))
            await listener.finish()

        feeding = asyncio.create_task(feed())
        events = [event async for event in listener]
        await feeding
        return events


def told(events: Sequence[Event]) -> list[Event]:
    """What does not depend on how fast this machine is."""
    return [event for event in events if not isinstance(event, Partial)]


@pytest.fixture(scope="session")
def two_turns(recording) -> Pcm:
    return recording.cut(0, round(6.6 * RATE_HZ))


@pytest.fixture(scope="session")
def heard(models, two_turns) -> list[Event]:
    return asyncio.run(listen(models, two_turns, options=Options(turn=SILENCE)))


def test_turns_become_words(heard):
    finals = [event for event in heard if isinstance(event, Final)]
    assert [final.text for final in finals] == [
        "It was the best of times, it was the worst of times.",
        "It was the age of wisdom.",
    ]
    assert [final.language for final in finals] == ["en", "en"]
    assert not any(final.is_backchannel for final in finals)


def test_events_lie_where_the_speech_is(heard):
    kinds = [type(event) for event in told(heard)]
    assert kinds.count(SpeechStarted) == kinds.count(SpeechStopped) == kinds.count(Final) == 2
    started = [event.sample / RATE_HZ for event in heard if isinstance(event, SpeechStarted)]
    stopped = [event.sample / RATE_HZ for event in heard if isinstance(event, SpeechStopped)]
    assert started == pytest.approx([1.22, 5.02], abs=0.1)
    assert stopped == pytest.approx([4.64, 6.30], abs=0.1)
    for event in heard:
        if isinstance(event, Final):
            assert event.words[-1].end <= event.sample + 0.2 * RATE_HZ


def test_generations_only_grow(heard):
    numbers = [event.generation for event in heard if not isinstance(event, Final | Partial)]
    assert numbers == sorted(numbers)
    stops = [event.generation for event in heard if isinstance(event, SpeechStopped)]
    assert [event.generation for event in heard if isinstance(event, Final)] == stops


@settings(deadline=None, max_examples=3)
@given(st.lists(st.integers(1, round(6.6 * RATE_HZ) - 1), max_size=12))
def test_the_same_events_however_the_sound_is_cut(models, two_turns, heard, cuts):
    again = asyncio.run(listen(models, two_turns, sorted(cuts), Options(turn=SILENCE)))
    assert [type(event) for event in told(again)].count(Final) == 2
    for kind in (SpeechStarted, Pause, Resumed, SpeechStopped):
        assert [e for e in again if isinstance(e, kind)] == [e for e in heard if isinstance(e, kind)]
    assert [e.text for e in again if isinstance(e, Final)] == [e.text for e in heard if isinstance(e, Final)]


def test_a_finished_sentence_ends_its_turn_at_once(models, two_turns):
    events = asyncio.run(listen(models, two_turns.cut(round(4.7 * RATE_HZ))))
    stopped = [event for event in events if isinstance(event, SpeechStopped)]
    assert len(stopped) == 1
    assert stopped[0].probability > 0.6


def test_push_to_talk_ends_when_it_is_released(models, two_turns):
    async def talk() -> tuple[int | None, int | None, list[Event]]:
        async with Listener(models, Options(turn=TurnOptions("manual")), rate_hz=RATE_HZ) as listener:
            early = await listener.commit()
            await listener.push(two_turns)
            late = await listener.commit()
            await listener.finish()
            return early, late, [event async for event in listener]

    early, late, events = asyncio.run(talk())
    (final,) = [event for event in events if isinstance(event, Final)]
    assert (early, late) == (None, final.sample)
    assert final.text.startswith("It was the best of times")
    assert final.text.endswith("age of wisdom.")


def test_what_is_cleared_is_not_heard(models, two_turns):
    async def talk() -> list[Event]:
        async with Listener(models, rate_hz=RATE_HZ) as listener:
            await listener.push(two_turns.cut(0, 3 * RATE_HZ))
            await listener.clear()
            await listener.finish()
            return [event async for event in listener]

    assert not [event for event in asyncio.run(talk()) if isinstance(event, Final | SpeechStopped)]


def test_a_cough_is_dismissed(models, two_turns):
    silence = np.zeros(RATE_HZ, np.float32)
    cough = np.concatenate(
        [silence, two_turns.samples[round(1.25 * RATE_HZ) : round(1.4 * RATE_HZ)], silence]
    )
    events = asyncio.run(listen(models, Pcm(cough, RATE_HZ), options=Options(turn=SILENCE)))
    assert not [event for event in events if isinstance(event, Final)]
    assert all(event.reason == "noise" for event in events if isinstance(event, Dismissed))


def test_nothing_is_told_before_the_wake_word(models, two_turns):
    options = Options(turn=SILENCE, wake_words=("age of wisdom",))
    events = asyncio.run(listen(models, two_turns, options=options))
    assert isinstance(events[0], Woken)
    assert events[0].phrase == "age of wisdom"
    assert events[0].sample > 4.7 * RATE_HZ


@pytest.mark.parametrize(
    "wrong", [Pcm(np.array([np.nan], np.float32), RATE_HZ), Pcm(np.zeros(9, np.float32), 16_000)]
)
def test_bad_sound_is_refused_and_the_stream_goes_on(models, two_turns, wrong):
    async def talk() -> list[Event]:
        async with Listener(models, rate_hz=RATE_HZ) as listener:
            with pytest.raises(InputError):
                await listener.push(wrong)
            await listener.push(Pcm(np.zeros(0, np.float32), RATE_HZ))
            await listener.push(two_turns.cut(round(4.7 * RATE_HZ)))
            await listener.finish()
            return [event async for event in listener]

    assert [event.text for event in asyncio.run(talk()) if isinstance(event, Final)] == [
        "It was the age of wisdom."
    ]


def test_behind_the_end_nothing_is_heard(models):
    async def talk() -> None:
        async with Listener(models) as listener:
            await listener.finish()
            await listener.finish()
            with pytest.raises(InputError, match="behind the stream's end"):
                await listener.push(Pcm(np.zeros(10, np.float32), 16_000))

    asyncio.run(talk())


def test_closing_in_the_middle_leaves_nothing_running(models, two_turns):
    async def talk() -> int:
        before = len(asyncio.all_tasks())
        async with Listener(models, rate_hz=RATE_HZ) as listener:
            await listener.push(two_turns.cut(0, 4 * RATE_HZ))
        return len(asyncio.all_tasks()) - before

    assert asyncio.run(talk()) == 0


def test_hours_of_silence_keep_a_second_of_sound(models):
    async def talk() -> int:
        async with Listener(models) as listener:
            for _ in range(4):
                await listener.push(Pcm(np.zeros(16_000 * 10, np.float32), 16_000))
            return listener.kept

    assert asyncio.run(talk()) <= 16_000 * 2
