"""One session of the protocol: what the client asks, done with a live session."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from contextlib import aclosing
from functools import partial
from typing import Any

from mien.errors import MienError
from mien.live import Output, Session
from mien.persona.threads import in_thread
from mien.serve.house import House
from mien.serve.operation.follower import Follower
from mien.serve.realtime import frames, inputs, setup
from mien.serve.realtime.answers import Answers
from mien.serve.realtime.asking import Asking
from mien.serve.realtime.ears import ChangingEars
from mien.serve.realtime.filming import Filming
from mien.serve.realtime.hearing import Hearing
from mien.serve.realtime.inputs import ClientEvent
from mien.serve.realtime.items import Items, new_id
from mien.serve.realtime.settings import Settings
from mien.serve.realtime.sound import CLOCK_HZ, Incoming, of_base64
from mien.serve.realtime.telling import Telling
from mien.serve.refusals import RefusedError

_LEAST_COMMIT = CLOCK_HZ // 10


def nobody(_event: dict[str, Any]) -> None:
    """Nobody is connected."""


class Conversation:
    """`send` takes events; whoever is connected sets it. `owner`: who may come back to it."""

    def __init__(self, house: House, settings: Settings, owner: str = "") -> None:
        self.house, self.settings, self.owner = house, settings, owner
        self.id = new_id("sess")
        self.send: Callable[[dict[str, Any]], None] = nobody
        self._numbers = itertools.count()
        self.items = Items(self.tell)
        self.answers = Answers(self.tell, self.items, self.settings)
        self.hearing = Hearing(self.tell, self.items)
        self.asking = Asking(self.tell, self.items, self.answers, self.hearing)
        self.follower = Follower(house.watch, self.id)
        self._appended = 0
        self.closed = False
        self.film: Filming | None = None

    def tell(self, kind: str, **fields: Any) -> None:
        """Send an event."""
        self.send({"type": kind, "event_id": f"event_{next(self._numbers)}", **fields})

    def refuse(self, error: RefusedError, event_id: str | None = None) -> None:
        """Send an error; the session goes on."""
        self.tell("error", error={**error.table(), "event_id": event_id})

    async def open(self) -> None:
        """Load what is needed and begin; raises `RefusedError`."""
        self.settings = await in_thread(setup.completed, self.house, self.settings)
        parts = await in_thread(setup.parts, self.house, self.settings)
        await self._begin(parts, 0)

    async def _begin(self, parts: setup.Parts, base: int) -> None:
        self.ears = ChangingEars(parts.models, parts.hearing)
        session = Session(self.ears, parts.mind, parts.persona, parts.options)
        try:
            self.live = await session.__aenter__()
        except MienError as error:
            raise RefusedError(str(error), "server_error", None, "server_error", 500) from None
        self.incoming = Incoming(self.settings.audio.input.format.type)
        self.telling = Telling(
            self.tell,
            self.answers,
            self.hearing,
            session.rate_hz,
            base,
            self.asking.said,
            self.house.admission.note,
        )
        self.asking.attach(session, self.telling)
        self._configure()

    def _configure(self) -> None:
        settings = self.settings
        self.answers.settings = settings
        self.live.brief = setup.brief(settings, inputs.ResponseSettings())
        self.telling.configure(settings)
        self.hearing.detects = settings.audio.input.turn_detection is not None
        self.hearing.tells = settings.audio.input.transcription is not None
        self.hearing.shows = settings.mien.face or bool(settings.mien.video)

    def greet(self, *, resumed: bool) -> None:
        """Send `session.created`."""
        self.tell("session.created", session=self.table(resumed=resumed))

    def table(self, *, resumed: bool = False) -> dict[str, Any]:
        """Return the settings as they are in force."""
        settings = self.settings
        table = settings.model_dump(exclude_none=True)
        table["audio"]["input"] = settings.audio.input.model_dump()
        table["audio"]["output"]["voice"] = setup.voice(settings)
        if table["audio"]["output"]["voice"] == "default":
            table["audio"]["output"]["voice"] = settings.mien.persona
        table["mien"] |= {
            "avatar": f"/v1/mien/avatars/{settings.mien.persona}.glb",
            "rate": CLOCK_HZ,
            "resume_s": round(setup.RESUME_S),
            "resumed": resumed,
            "sample": self.telling.at(self.live.position),
            "warnings": setup.warnings(self.house, settings),
        }
        if settings.type == "transcription":
            table = {key: table[key] for key in ("type", "model", "audio", "mien")}
            del table["audio"]["output"]
        return {"object": "realtime.session", "id": self.id, **table}

    async def run(self) -> None:
        """Tell what the live session gives out, until it is detached or closed."""
        while not self.closed:
            live, telling = self.live, self.telling
            async with aclosing(aiter(live)) as outputs:  # type: ignore[type-var]
                async for output in outputs:
                    if live is not self.live:
                        break
                    telling.take(output)
                    self._follow(output, live)
            if live is self.live:
                return

    async def take(self, event: ClientEvent) -> None:
        """Do what the client asks; raises `RefusedError`."""
        match event:
            case inputs.Append():
                await self.append(of_base64(event.audio))
            case inputs.Playhead():
                self._playhead(event.sample)
            case inputs.SessionUpdate():
                await self.update(event.session)
            case inputs.Commit():
                await self._commit()
            case inputs.Clear():
                self._appended = 0
                await self.live.clear()
                self.tell("input_audio_buffer.cleared")
            case inputs.ItemCreate():
                self.asking.create(event)
            case inputs.ItemRetrieve():
                self.tell("conversation.item.retrieved", item=dict(self.items.get(event.item_id)))
            case inputs.ItemDelete():
                self.asking.delete(event.item_id)
            case inputs.ItemTruncate():
                self.asking.truncate(event)
            case inputs.ResponseCreate():
                self.asking.respond(event.response or inputs.ResponseSettings())
            case inputs.ResponseCancel():
                self.asking.cancel(event.response_id)
            case inputs.OutputClear():
                self.asking.stop()
            case inputs.Presented():
                self._presented(event)

    def _presented(self, event: inputs.Presented) -> None:
        given = (self.answers.current, self.answers.last)
        if any(answer is not None and answer.id == event.response_id for answer in given):
            self.follower.presented(event.response_id, event.ms, event.av_offset_ms)

    def _follow(self, output: Output, live: Session) -> None:
        answer = self.answers.current or self.answers.last
        response = answer.id if answer is not None else ""
        self.follower.took(output, live, self.settings.mien.persona, response)

    async def append(self, sound: bytes) -> None:
        """Hear sound in the format of the session's input; raises `RefusedError`."""
        pcm = self.incoming.take(sound)
        self._appended += len(pcm)
        await self.live.push(pcm)

    def _playhead(self, sample: int) -> None:
        self.live.heard(min(self.telling.sample(sample), self.live.end))

    async def _commit(self) -> None:
        if self._appended < _LEAST_COMMIT:
            ms = self._appended * 1000 // CLOCK_HZ
            raise RefusedError(
                f"the buffer holds {ms} ms of sound; at least 100 ms can be committed",
                "input_audio_buffer_commit_empty",
            )
        self._appended = 0
        await self.asking.commit()

    async def update(self, change: Settings) -> None:
        """Take other settings; raises `RefusedError`, and nothing has changed then."""
        before, settings = self.settings, self.settings.updated(change)
        named = change.mien.model_fields_set if "mien" in change.model_fields_set else set()
        if "persona" in named and "language" not in named and settings.mien.persona != before.mien.persona:
            settings.mien.language = ""
        settings = await in_thread(setup.completed, self.house, settings)
        setup.check(before, settings, spoke=self.answers.spoke)
        parts = await in_thread(setup.parts, self.house, settings)
        self.settings = settings
        if (before.mien.persona, setup.voice(before)) != (settings.mien.persona, setup.voice(settings)):
            await self._replace(parts)
        else:
            await self._adjust(before, parts)
        self._configure()
        await self._film(before)
        self.tell("session.updated", session=self.table())
        if (settings.mien.face and not before.mien.face) or settings.mien.video not in (
            False,
            before.mien.video,
        ):
            self.live.again()

    async def _film(self, before: Settings) -> None:
        """Begin or end sending pictures."""
        mien, was = self.settings.mien, before.mien
        if (mien.video, mien.persona) != (was.video, was.persona):
            if self.film is not None:
                await self.film.aclose()
            self.film = None
            if mien.video:
                self.film = Filming(
                    self.tell,
                    partial(self.house.renderer, mien.persona, mien.video.size),
                    mien.video.fps,
                    lambda: self.telling.at(self.live.position),
                )
        self.telling.film = self.film

    async def _replace(self, parts: setup.Parts) -> None:
        """Begin a new conversation with another persona, on the same clock."""
        before = self.live
        self.asking.stop()
        base = -(-self.telling.at(before.position) // frames.SAMPLES) * frames.SAMPLES
        self.answers.end("cancelled", "client_cancelled")
        await self._begin(parts, base)
        self.tell("mien.cut", start=base, response_id=None, reason="interrupted")
        await before.aclose()

    async def _adjust(self, before: Settings, parts: setup.Parts) -> None:
        settings = self.settings
        self.live.change(parts.options)
        if settings.audio.input.format != before.audio.input.format:
            self.incoming = Incoming(settings.audio.input.format.type)
        old = (setup.speaking(before), setup.hearing(before))
        if old != (setup.speaking(settings), parts.hearing):
            await self.live.clear()
            await self.ears.change(parts.models, parts.hearing)

    async def aclose(self) -> None:
        """Stop everything."""
        self.closed = True
        await self.asking.aclose()
        if self.film is not None:
            await self.film.aclose()
        await self.live.aclose()
