"""One session of the protocol: what the client asks, done with a live session."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from contextlib import aclosing, suppress
from functools import partial
from typing import Any

from mien.errors import InputError, MienError
from mien.live import Session
from mien.mind.brief import Brief, FunctionCall
from mien.persona.threads import in_thread
from mien.serve.house import House
from mien.serve.realtime import frames, inputs, setup
from mien.serve.realtime.answers import Answer, Answers
from mien.serve.realtime.ears import ChangingEars
from mien.serve.realtime.filming import Filming
from mien.serve.realtime.hearing import Hearing, message
from mien.serve.realtime.inputs import ClientEvent
from mien.serve.realtime.items import Items, new_id
from mien.serve.realtime.settings import Settings
from mien.serve.realtime.sound import CLOCK_HZ, Incoming
from mien.serve.realtime.telling import Telling
from mien.serve.refusals import RefusedError

_LEAST_COMMIT = CLOCK_HZ // 10
_MOST_UNANSWERED = 8000  # characters


def nobody(_event: dict[str, Any]) -> None:
    """Nobody is connected."""


class Conversation:
    """`send` takes events; whoever is connected sets it. `owner`: who may come back to it."""

    def __init__(self, house: House, settings: Settings, owner: str = "") -> None:
        self.house, self.settings, self.owner = house, setup.completed(house, settings), owner
        self.id = new_id("sess")
        self.send: Callable[[dict[str, Any]], None] = nobody
        self._numbers = itertools.count()
        self.items = Items(self.tell)
        self.answers = Answers(self.tell, self.items, self.settings)
        self.hearing = Hearing(self.tell, self.items)
        self._unanswered: list[tuple[str, str]] = []
        self._results: list[tuple[FunctionCall, str]] = []
        self._wanted: inputs.ResponseSettings | None = None
        self._writing: asyncio.Task[None] | None = None
        self._appended = 0
        self._due = 0  # turns that the client ended, and whose words are still to come
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
        parts = await in_thread(lambda: setup.parts(self.house, self.settings))
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
            self._said,
            self.house.admission.note,
        )
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
            live = self.live
            async with aclosing(aiter(live)) as outputs:  # type: ignore[type-var]
                async for output in outputs:
                    self.telling.take(output)
            if live is self.live:
                return

    async def take(self, event: ClientEvent) -> None:
        """Do what the client asks; raises `RefusedError`."""
        match event:
            case inputs.Append():
                await self._append(event.audio)
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
                self._create(event)
            case inputs.ItemRetrieve():
                self.tell("conversation.item.retrieved", item=dict(self.items.get(event.item_id)))
            case inputs.ItemDelete():
                self.items.delete(event.item_id)
                self._unanswered = [each for each in self._unanswered if each[0] != event.item_id]
            case inputs.ItemTruncate():
                self._truncate(event)
            case inputs.ResponseCreate():
                self._respond(event.response or inputs.ResponseSettings())
            case inputs.ResponseCancel():
                self._cancel(event.response_id)
            case inputs.OutputClear():
                self._stop()
            case inputs.Presented():
                pass

    async def _append(self, audio: str) -> None:
        pcm = self.incoming.take(audio)
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
        if await self.live.commit():
            self._due += 1
        else:
            self.hearing.empty()

    def _create(self, event: inputs.ItemCreate) -> None:
        item = event.item
        self.items.check_place(event.previous_item_id)
        name = item.id or new_id("item")
        if name in self.items:
            raise RefusedError(f"item {name!r} is there already", "invalid_value", "item.id")
        if item.type == "function_call_output":
            self._result(name, item)
            return
        if item.type != "message":
            raise RefusedError("function calls come from the persona", "invalid_value", "item.type")
        content = [part.model_dump(exclude_none=True) for part in item.content or ()]
        if not item.words or item.role is None:
            raise RefusedError("a message needs a role, and words", "invalid_value", "item.content")
        self.items.add(message(name, item.role, content, "completed"), event.previous_item_id)
        self.items.done(name)
        if item.role == "user":
            self._ask(name, item.words)

    def _result(self, name: str, item: inputs.Item) -> None:
        """Take what a function returned."""
        call = self.answers.calls.pop(item.call_id or "", None)
        if call is None:
            raise RefusedError(
                f"no call {item.call_id!r} waits for an output", "invalid_value", "item.call_id"
            )
        self._results.append((call, item.output or ""))
        table = item.model_dump(exclude_none=True) | {"id": name, "object": "realtime.item"}
        self.items.add(table | {"status": "completed"})
        self.items.done(name)

    def _ask(self, name: str, words: str) -> None:
        self._unanswered.append((name, words))
        while sum(len(each[1]) for each in self._unanswered) > _MOST_UNANSWERED:
            self._unanswered.pop(0)

    def _said(self, text: str, language: str) -> None:
        """The user said something that is not answered by itself."""
        if text and self.settings.type == "realtime" and not (self.settings.answers and self.settings.speaks):
            self._ask(self.items.last or "", text)
        self._due = max(0, self._due - 1)
        if self._due:
            return
        wanted, self._wanted = self._wanted, None
        if wanted is not None:
            self._answer(wanted)
        elif text and self.settings.answers and not self.settings.speaks:
            self._answer(inputs.ResponseSettings())

    def _respond(self, wanted: inputs.ResponseSettings) -> None:
        if self.settings.type == "transcription":
            raise RefusedError("a transcription session answers nothing", "invalid_value", "type")
        if self.answers.current is not None:
            raise RefusedError(
                f"response {self.answers.current.id} is being given; cancel it first",
                "conversation_already_has_active_response",
            )
        if self.hearing.waits or self._due:
            self._wanted = wanted
        else:
            self._answer(wanted)

    def _answer(self, wanted: inputs.ResponseSettings) -> None:
        given = [item.words for item in wanted.input or () if item.words]
        words = " ".join(given or [each[1] for each in self._unanswered])
        brief = setup.brief(self.settings, wanted, tuple(self._results))
        self._unanswered.clear()
        self._results.clear()
        speaks = (wanted.output_modalities or self.settings.output_modalities) == ["audio"]
        answer = Answer(0, speaks, words, wanted.metadata)
        if not speaks:
            self._writing = asyncio.get_running_loop().create_task(
                self._write(self.answers.begin(answer), brief)
            )
            return
        language = self.settings.mien.language
        try:
            live = self.live
            turn = live.text(words, language, brief) if words else live.greet(language, brief)
        except InputError as error:
            raise RefusedError(str(error)) from None
        self.telling.typed[turn] = answer

    async def _write(self, answer: Answer, brief: Brief) -> None:
        """Give an answer as text."""
        try:
            async with aclosing(self.live.write(answer.asked, self.settings.mien.language, brief)) as texts:  # type: ignore[type-var]
                async for text in texts:
                    if isinstance(text, FunctionCall):
                        self.answers.call(text)
                    else:
                        self.answers.write(text)
        except MienError as error:
            self.answers.end("failed", error=str(error))
        else:
            self.answers.end("completed")

    def _truncate(self, event: inputs.ItemTruncate) -> None:
        self.items.get(event.item_id)
        current, last = self.answers.current, self.answers.last
        for answer in (current, last):
            if answer is not None and answer.item == event.item_id:
                if answer is current:
                    self._stop()
                self.live.truncate(answer.turn, event.audio_end_ms / 1000)
        self.tell(
            "conversation.item.truncated",
            item_id=event.item_id,
            content_index=event.content_index,
            audio_end_ms=event.audio_end_ms,
        )

    def _cancel(self, name: str | None) -> None:
        current = self.answers.current
        if current is None or (name is not None and name != current.id):
            raise RefusedError("no response is being given", "response_cancel_not_active", "response_id")
        self._stop()

    def _stop(self) -> None:
        if self._writing is not None and not self._writing.done():
            self._writing.cancel()
            self.answers.end("cancelled", "client_cancelled")
        elif self.answers.current is not None or self.telling.typed:
            self.telling.cancelled = True
            self.live.interrupt()

    async def update(self, change: Settings) -> None:
        """Take other settings; raises `RefusedError`, and nothing has changed then."""
        before, settings = self.settings, self.settings.updated(change)
        named = change.mien.model_fields_set if "mien" in change.model_fields_set else set()
        if "persona" in named and "language" not in named and settings.mien.persona != before.mien.persona:
            settings.mien.language = ""
        settings = setup.completed(self.house, settings)
        setup.check(before, settings, spoke=self.answers.spoke)
        parts = await in_thread(lambda: setup.parts(self.house, settings))
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
        self._stop()
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
        if self._writing is not None:
            self._writing.cancel()
            with suppress(asyncio.CancelledError):
                await self._writing
        if self.film is not None:
            await self.film.aclose()
        await self.live.aclose()
