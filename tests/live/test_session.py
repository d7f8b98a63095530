import asyncio

import numpy as np
import pytest
from tests.live.conftest import RATE, Echo, Stage, Tone, words

from mien.errors import InputError
from mien.live.events import (
    Committed,
    Continued,
    Done,
    Failed,
    Held,
    Interrupted,
    Listening,
    Silent,
    Stretch,
    Understood,
)
from mien.live.mind import Said
from mien.live.options import SessionOptions
from mien.speech.listening import Dismissed, Final, Partial, Pause, Resumed, SpeechStarted, SpeechStopped


def final(text: str, generation: int = 1, *, backchannel: bool = False) -> Final:
    return Final(0, generation, words(text), "en", 0.9, backchannel, 0)


def partial(text: str, generation: int = 1, *, complete: bool = False) -> Partial:
    return Partial(0, generation, words(text), 0, "en", complete)


def turn(text: str, generation: int = 1) -> list:
    """What the ears tell of a whole turn."""
    return [
        SpeechStarted(0, generation),
        Pause(0, generation),
        partial(text, generation, complete=True),
        SpeechStopped(0, generation, 0.9),
        final(text, generation),
    ]


def check_clock(stage: Stage) -> None:
    """Every stretch begins where another ended or before; frames follow each other at 60 Hz."""
    end = 0
    frame = 0
    for stretch in stage.of(Stretch):
        assert stretch.start <= end
        assert stretch.pcm is None or len(stretch.pcm) == stretch.length
        first = -(-stretch.start * 60 // RATE)
        after = -(-(stretch.start + stretch.length) * 60 // RATE)
        assert len(stretch.face) == after - first
        if len(stretch.face):
            assert round(stretch.face.start_s * 60, 6) == first <= frame
        end, frame = stretch.start + stretch.length, after


def jaw(stage: Stage) -> np.ndarray:
    """All faces as a client shows them."""
    shown = np.zeros((0, 52), np.float32)
    for stretch in stage.of(Stretch):
        if len(stretch.face):
            shown = np.concatenate([shown[: round(stretch.face.start_s * 60)], stretch.face.weights])
    return shown


def test_a_prepared_answer_is_released_when_the_turn_is_over(staged):
    async def play(stage: Stage) -> None:
        stage.ears.tell(SpeechStarted(0, 1), Pause(0, 1), partial("hello there", complete=True))
        await asyncio.sleep(1.0)
        assert stage.spoken == []
        assert len(stage.mind.asked) == 1
        stage.ears.tell(SpeechStopped(0, 1, 0.9), final("hello there"))
        await asyncio.sleep(10.0)

    stage = staged(play, mind=Echo(thinks_s=0.3), voice=Tone(works_s=0.1))
    assert stage.first_sound == 1.0  # neither the mind nor the voice took any time then
    assert [event.text for event in stage.of(Committed)] == ["hello there"]
    assert [done.text for done in stage.of(Done)] == [
        "You said hello there. Is there anything else that you would like to know about it?"
    ]
    assert [exchange.user for exchange in stage.session.history.exchanges] == ["hello there"]
    assert len(stage.mind.asked) == 1
    waterfall = stage.of(Done)[0].waterfall
    assert waterfall.answered_s == pytest.approx(1.0)
    assert waterfall.at["understanding"] == pytest.approx(0.3)
    check_clock(stage)


def test_without_speculation_the_answer_waits_for_the_end(staged):
    async def play(stage: Stage) -> None:
        stage.ears.tell(SpeechStarted(0, 1), Pause(0, 1), partial("hello", complete=True))
        await asyncio.sleep(1.0)
        assert stage.mind.asked == []
        stage.ears.tell(SpeechStopped(0, 1, 0.9), final("hello"))
        await asyncio.sleep(8.0)

    stage = staged(play, options=SessionOptions(speculates=False), mind=Echo(thinks_s=0.3))
    assert stage.first_sound == pytest.approx(1.3)


def test_what_was_prepared_is_forgotten_when_the_user_goes_on(staged):
    async def play(stage: Stage) -> None:
        stage.ears.tell(SpeechStarted(0, 1), Pause(0, 1), partial("I want", complete=True))
        await asyncio.sleep(0.2)
        stage.ears.tell(Resumed(0, 2))
        await asyncio.sleep(0.5)
        assert stage.voice.open == stage.mind.open == 0
        stage.ears.tell(Pause(0, 2), partial("I want to know", 2, complete=True))
        await asyncio.sleep(0.2)
        stage.ears.tell(SpeechStopped(0, 2, 0.9), final("I want to know", 2))
        await asyncio.sleep(10.0)

    stage = staged(play)
    assert [asked.text for asked in stage.mind.asked] == ["I want", "I want to know"]
    assert [asked.state for asked in stage.mind.asked] == [None, None]
    assert len(stage.of(Done)) == 1
    assert stage.of(Interrupted) == []
    assert stage.of(Stretch)[0].turn == 0


def test_the_voice_stops_at_once_and_history_keeps_what_was_heard(staged):
    async def play(stage: Stage) -> None:
        stage.ears.tell(*turn("hello"))
        await asyncio.sleep(2.0)
        stage.ears.tell(SpeechStarted(0, 2))
        await asyncio.sleep(0.4)
        stage.ears.tell(partial("stop it", 2))
        await asyncio.sleep(1.0)

    stage = staged(play)
    [held], [interrupted] = stage.of(Held), stage.of(Interrupted)
    assert stage.when(Held) == [2.0]
    assert held.at == interrupted.at
    assert held.at / RATE == pytest.approx(2.0, abs=0.02)
    assert max(at for at, output in stage.taken if isinstance(output, Stretch) and output.pcm) <= 2.0
    assert all(number == now for number, now in stage.generations)
    [exchange] = stage.session.history.exchanges
    assert exchange.cut
    assert exchange.answer == interrupted.heard
    said = "You said hello. Is there anything else that you would like to know about it?"
    assert said.startswith(exchange.answer)
    assert 10 < len(exchange.answer) < len(said) - 10
    check_clock(stage)


def test_the_mouth_closes_within_150_ms_and_the_face_does_not_jump_or_freeze(staged):
    async def play(stage: Stage) -> None:
        stage.ears.tell(*turn("hello"))
        await asyncio.sleep(1.53)
        stage.ears.tell(SpeechStarted(0, 2))
        await asyncio.sleep(4.0)

    stage = staged(play, options=SessionOptions(hold_s=10.0))
    shown = jaw(stage)
    at = round(stage.of(Held)[0].at * 60 / RATE)
    jaw_open = shown[:, 17]
    assert jaw_open[at - 30 : at].max() > 0.1
    assert jaw_open[at + 10 :].max() < 0.02
    steps = np.abs(np.diff(shown[at - 2 : at + 12], axis=0)).max()
    assert steps < 0.55
    assert np.ptp(shown[at + 12 : at + 240, 0]) > 0.5  # it blinks


@pytest.mark.parametrize("end", [final("mm-hm", 2, backchannel=True), Dismissed(0, 2, "noise")])
def test_an_mm_hm_or_a_cough_only_holds_the_answer(staged, end):
    async def play(stage: Stage) -> None:
        stage.ears.tell(*turn("hello"))
        await asyncio.sleep(2.0)
        stage.ears.tell(SpeechStarted(0, 2), partial("mm-hm", 2) if isinstance(end, Final) else Pause(0, 2))
        await asyncio.sleep(0.5)
        stage.ears.tell(SpeechStopped(0, 2, 0.9), end)
        await asyncio.sleep(10.0)

    stage = staged(play)
    assert len(stage.of(Held)) == len(stage.of(Continued)) == len(stage.of(Done)) == 1
    assert stage.of(Interrupted) == []
    assert len(stage.mind.asked) == 1
    check_clock(stage)
    said = sum(stretch.length for stretch in stage.spoken)
    letters = sum(letter.isalpha() for letter in stage.of(Done)[0].text)
    assert said / RATE > letters * 0.06
    texts = " ".join(stretch.text for stretch in stage.spoken if stretch.text)
    assert texts == stage.of(Done)[0].text


def test_words_mode_goes_on_until_words_are_understood(staged):
    async def play(stage: Stage) -> None:
        stage.ears.tell(*turn("hello"))
        await asyncio.sleep(2.0)
        stage.ears.tell(SpeechStarted(0, 2))
        await asyncio.sleep(0.5)
        assert stage.of(Held) == []
        stage.ears.tell(partial("no wait", 2))
        await asyncio.sleep(0.5)

    stage = staged(play, options=SessionOptions(barge_in="words"))
    assert stage.when(Interrupted) == [2.5]


def test_never_mode_hears_nothing_while_it_speaks(staged):
    async def play(stage: Stage) -> None:
        stage.ears.tell(*turn("hello"))
        await asyncio.sleep(2.0)
        stage.ears.tell(*turn("no wait", 2))
        await asyncio.sleep(10.0)

    stage = staged(play, options=SessionOptions(barge_in="never"))
    assert len(stage.of(Done)) == 1
    assert stage.of(Interrupted) == []


def test_a_voice_without_words_does_not_hold_for_ever(staged):
    async def play(stage: Stage) -> None:
        stage.ears.tell(*turn("hello"))
        await asyncio.sleep(2.0)
        stage.ears.tell(SpeechStarted(0, 2))
        await asyncio.sleep(20.0)

    stage = staged(play)
    assert stage.when(Continued) == [4.0]
    assert len(stage.of(Done)) == 1


def test_a_state_is_kept_once_its_words_were_heard(staged):
    async def play(stage: Stage) -> None:
        stage.ears.tell(*turn("one"))
        await asyncio.sleep(10.0)
        stage.ears.tell(*turn("two", 2))
        await asyncio.sleep(0.1)
        stage.ears.tell(SpeechStarted(0, 3), partial("and three", 3))  # hardly anything of it was heard
        await asyncio.sleep(0.5)
        stage.ears.tell(Pause(0, 3), partial("and three", 3, complete=True), SpeechStopped(0, 3, 0.9))
        stage.ears.tell(final("and three", 3))
        await asyncio.sleep(10.0)

    stage = staged(play)
    assert [(asked.text, asked.state) for asked in stage.mind.asked] == [
        ("one", None),
        ("two", 1),
        ("two and three", 1),
    ]
    assert [exchange.user for exchange in stage.session.history.exchanges] == ["one", "two and three"]


def test_other_words_in_the_end_make_another_answer(staged):
    async def play(stage: Stage) -> None:
        stage.ears.tell(*turn("hello")[:-1], final("yellow"))
        await asyncio.sleep(10.0)

    stage = staged(play)
    assert [done.text[:15] for done in stage.of(Done)] == ["You said yellow"]
    assert [event.text for event in stage.of(Committed)] == ["yellow"]


def test_typed_words_are_answered_in_place_of_what_is_said(staged):
    async def play(stage: Stage) -> None:
        stage.session.text("one")
        await asyncio.sleep(2.0)
        stage.session.text("two")
        await asyncio.sleep(10.0)

    stage = staged(play)
    assert [event.text for event in stage.of(Committed)] == ["one", "two"]
    assert len(stage.of(Interrupted)) == len(stage.of(Done)) == 1
    check_clock(stage)


def test_the_last_answer_can_be_cut_where_the_client_heard_it(staged):
    async def play(stage: Stage) -> None:
        number = stage.session.text("one")
        await asyncio.sleep(3.0)
        stage.session.interrupt()
        before = stage.session.history.exchanges[-1].answer
        assert stage.session.truncate(number, 0.4)
        assert len(stage.session.history.exchanges[-1].answer) < len(before)
        assert stage.session.history.exchanges[-1].answer == "You said"
        assert not stage.session.truncate(number + 7, 0.4)

    staged(play)


def test_the_clock_is_the_clients_where_it_tells(staged):
    async def play(stage: Stage) -> None:
        stage.session.text("one")
        await asyncio.sleep(2.0)
        stage.session.heard(round(1.5 * RATE))  # the network holds half a second
        stage.session.interrupt()
        await asyncio.sleep(0.1)
        with pytest.raises(InputError, match="can not be heard"):
            stage.session.heard(10**9)

    stage = staged(play)
    assert stage.of(Interrupted)[0].at == round(1.5 * RATE)
    check_clock(stage)


@pytest.mark.parametrize(
    ("answer", "message"),
    [([], "no words to say"), ([Said("```\n```")], "nothing to speak"), ([Said("<speak><b>")], "")],
)
def test_a_mind_of_nothing_or_nonsense_fails_its_turn_only(staged, answer, message):
    async def play(stage: Stage) -> None:
        stage.session.text("one")
        await asyncio.sleep(1.0)
        stage.mind.answer_with = None
        stage.session.text("two")
        await asyncio.sleep(10.0)

    stage = staged(play, mind=Echo(answer_with=lambda _: answer))
    assert len(stage.of(Failed)) == len(stage.of(Done)) == 1
    assert message in stage.of(Failed)[0].message


def test_a_mind_that_hangs_is_stopped(staged):
    async def play(stage: Stage) -> None:
        stage.session.text("one")
        await asyncio.sleep(5.0)

    stage = staged(play, mind=Echo(thinks_s=3600.0), options=SessionOptions(first_word_s=2.0))
    assert stage.when(Failed) == [2.0]


def test_a_mind_that_breaks_ends_the_session_with_its_error(staged):
    def breaks(_: object) -> list[Said]:
        raise ZeroDivisionError("broken")

    async def play(stage: Stage) -> None:
        stage.session.text("one")
        await asyncio.sleep(5.0)

    with pytest.raises(ExceptionGroup) as raised:
        staged(play, mind=Echo(answer_with=breaks))
    assert raised.group_contains(ZeroDivisionError)


def test_an_endless_answer_ends(staged):
    async def play(stage: Stage) -> None:
        stage.session.text("one")
        await asyncio.sleep(20.0)

    endless = [Said("And so on and on it goes. ")] * 5000
    stage = staged(
        play, mind=Echo(answer_with=lambda _: endless), options=SessionOptions(longest_answer_s=5.0)
    )
    assert len(stage.of(Done)) == 1
    assert 4.0 < sum(stretch.length for stretch in stage.spoken) / RATE <= 5.5


def test_sound_is_given_out_only_a_little_ahead(staged):
    async def play(stage: Stage) -> None:
        stage.session.text("one")
        await asyncio.sleep(12.0)

    stage = staged(play)
    ahead = [
        output.start / RATE - at
        for at, output in stage.taken
        if isinstance(output, Stretch) and output.pcm is not None
    ]
    assert max(ahead) <= 0.4 + 1e-3
    assert stage.session.underruns == 0


def test_a_slow_voice_leaves_no_hole(staged):
    async def play(stage: Stage) -> None:
        stage.session.text("one")
        await asyncio.sleep(30.0)

    stage = staged(play, voice=Tone(works_s=0.5))
    assert stage.session.underruns > 0
    assert len(stage.of(Done)) == 1
    check_clock(stage)


MENU = (
    "All right, you said: press two to access messages saved in other folders. Press three to record a "
    "message for another mailbox, and zero for greetings and password management, or to go back to where you "
    "were before."
)


@pytest.mark.parametrize("pace", [0.3, 0.55])
def test_a_voice_that_makes_whole_breaths_is_ready_with_the_next_one(staged, pace):
    async def play(stage: Stage) -> None:
        stage.session.text("one")
        await asyncio.sleep(40.0)

    voice = Tone(pace=pace, known=frozenset({"All right, you said:"}))
    stage = staged(play, mind=Echo(answer_with=lambda _: [Said(MENU)]), voice=voice)
    assert stage.session.underruns == 0
    assert [done.text for done in stage.of(Done)] == [MENU]


def test_a_client_may_tell_a_place_that_was_cut_meanwhile(staged):
    async def play(stage: Stage) -> None:
        stage.session.text("one")
        await asyncio.sleep(2.0)
        stage.session.interrupt()
        stage.session.heard(round(2.1 * RATE))
        assert stage.session.position <= 2.0 * RATE

    staged(play)


def test_silence_is_told_once(staged):
    async def play(stage: Stage) -> None:
        await asyncio.sleep(15.0)
        stage.ears.tell(SpeechStarted(0, 1))
        await asyncio.sleep(8.0)

    stage = staged(play, options=SessionOptions(longest_silence_s=10.0))
    assert stage.when(Silent) == [10.0]
    assert len(stage.of(Listening)) == 1


def test_a_client_comes_back(staged):
    async def play(stage: Stage) -> None:
        stage.session.text("one")
        await asyncio.sleep(2.0)
        stage.session.detach()
        await asyncio.sleep(30.0)
        before = len(stage.spoken)
        stage.session.attach()
        again = asyncio.create_task(stage.take())
        await asyncio.sleep(10.0)
        assert len(stage.spoken) > before
        await stage.session.aclose()
        await again

    stage = staged(play)
    assert len(stage.of(Done)) == 1
    check_clock(stage)


def test_a_client_that_stays_away_is_forgotten(staged):
    async def play(stage: Stage) -> None:
        stage.session.text("one")
        await asyncio.sleep(1.0)
        stage.session.detach()
        await asyncio.sleep(61.0)
        with pytest.raises(InputError, match="closed"):
            stage.session.attach()
        assert stage.session.tasks == 0

    staged(play)


def test_two_can_not_take_the_same_outputs(staged):
    async def play(stage: Stage) -> None:
        await asyncio.sleep(0.1)
        with pytest.raises(InputError, match="already"):
            await anext(aiter(stage.session))

    staged(play)


def test_an_idle_session_waits_with_two_tasks_and_a_living_closed_face(staged):
    async def play(stage: Stage) -> None:
        await asyncio.sleep(60.0)
        assert stage.session.tasks == 2

    stage = staged(play)
    assert len(stage.taken) <= 122
    shown = jaw(stage)
    assert shown[:, 17].max() < 0.02
    assert 5 <= (np.diff((shown[:, 0] > 0.6).astype(int)) == 1).sum() <= 40  # blinks
    check_clock(stage)


def test_understood_words_are_told_the_newest_only(staged):
    async def play(stage: Stage) -> None:
        stage.ears.tell(SpeechStarted(0, 1), partial("hello"), partial("hello there"))
        await asyncio.sleep(1.0)

    assert [event.text for event in staged(play).of(Understood)][-1] == "hello there"


@pytest.mark.parametrize("text", ["", "  ", "x" * 8001])
def test_text_that_can_not_be_answered_is_refused(staged, text):
    async def play(stage: Stage) -> None:
        with pytest.raises(InputError):
            stage.session.text(text)

    staged(play)
