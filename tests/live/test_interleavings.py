"""Whatever happens in whatever order: the laws of a session hold."""

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.live.conftest import RATE, Echo, ScriptedEars, Tone, persona, words

from mien.live import clock
from mien.live.events import Interrupted, Stretch
from mien.live.options import SessionOptions
from mien.live.player import OUT_MS
from mien.live.session import Session
from mien.live.turn import AHEAD_MS, SOUND_MS
from mien.speech.listening import Dismissed, Final, Partial, Pause, Resumed, SpeechStarted, SpeechStopped

STEPS = ("started", "partial", "mm", "pause", "complete", "resumed", "stopped", "final", "backchannel",
         "dismissed", "text", "interrupt", "heard", "away", "back", "read", "unread")  # fmt: skip


class Client:
    """Does one step after the other, and checks all that it is given."""

    def __init__(self, session: Session, ears: ScriptedEars) -> None:
        self.session, self.ears = session, ears
        self.generation = 0
        self.end = self.frame = 0
        self.reads = asyncio.Event()
        self.reads.set()
        self.away = False
        self.closed_turns: set[int] = set()

    async def take(self) -> None:
        async for output in self.session:
            if isinstance(output, Stretch):
                self._check(output)
            elif isinstance(output, Interrupted):
                self.closed_turns.add(output.turn)
            await self.reads.wait()

    def _check(self, stretch: Stretch) -> None:
        assert stretch.start <= self.end
        first, last = (-(-at * 60 // RATE) for at in (stretch.start, stretch.start + stretch.length))
        assert len(stretch.face) == last - first
        assert not len(stretch.face) or round(stretch.face.start_s * 60, 6) == first
        if stretch.turn:
            assert stretch.turn == self.session.generation
            assert stretch.turn not in self.closed_turns
        self.end = stretch.start + stretch.length

    def step(self, name: str) -> None:
        if name == "started":
            self.generation += 1
            self.ears.tell(SpeechStarted(0, self.generation))
        elif name == "resumed":
            self.generation += 1
            self.ears.tell(Resumed(0, self.generation))
        elif name in ("partial", "mm", "complete"):
            said = words("mm-hm" if name == "mm" else f"words number {self.generation}")
            self.ears.tell(Partial(0, self.generation, said, 0, "en", name == "complete"))
        elif name in ("final", "backchannel"):
            said = words("mm-hm" if name == "backchannel" else f"words number {self.generation}")
            self.ears.tell(Final(0, self.generation, said, "en", 0.9, name == "backchannel", 0))
        elif name == "pause":
            self.ears.tell(Pause(0, self.generation))
        elif name == "stopped":
            self.ears.tell(SpeechStopped(0, self.generation, 0.9))
        elif name == "dismissed":
            self.ears.tell(Dismissed(0, self.generation, "noise"))
        elif name == "text":
            self.session.text("typed words")
        elif name == "interrupt":
            self.session.interrupt()
        elif name == "heard":
            self.session.heard(max(0, self.end - RATE // 3))
        elif name in ("read", "unread"):
            self.reads.set() if name == "read" else self.reads.clear()


@settings(max_examples=10, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(STEPS), st.sampled_from([0.0, 0.05, 0.2, 1.0])), max_size=20),
    st.sampled_from(["hold", "words", "voice", "never"]),
    st.sampled_from([0.0, 0.3]),
)
def test_nothing_old_is_taken_clocks_have_no_gaps_and_nothing_is_left(steps, barge_in, works_s):
    async def main() -> None:
        ears, mind, voice = ScriptedEars(), Echo(thinks_s=works_s), Tone(works_s=works_s)
        options = SessionOptions(barge_in=barge_in, resume_s=3600.0)
        async with Session(ears, mind, persona(voice), options) as session:
            client = Client(session, ears)
            taking = asyncio.create_task(client.take())
            for name, wait_s in steps:
                if name == "away" and not client.away:
                    client.away = True
                    session.detach()
                    client.reads.set()
                    await taking
                elif name == "back" and client.away:
                    client.away = False
                    session.attach()
                    taking = asyncio.create_task(client.take())
                else:
                    client.step(name)
                await asyncio.sleep(wait_s)
                assert session._player.out.held_ms <= OUT_MS + 2500.0
                assert session.tasks <= 2 + 2
                current = session._replies.current
                most = AHEAD_MS if current is not None and current.released else SOUND_MS
                assert current is None or current.turn.chunks.held_ms <= most
            client.reads.set()
            await session.aclose()
            await taking
        await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) == 1
        assert (mind.open, voice.open) == (0, 0)

    clock.run(main())
