"""What a client asks to be answered, in its own time: typed words, commits, results of functions, cuts."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress

from mien.errors import InputError, MienError
from mien.live import HandOver, Session
from mien.mind.brief import Brief, FunctionCall
from mien.serve.realtime import inputs, setup
from mien.serve.realtime.answers import Answer, Answers
from mien.serve.realtime.hearing import NEVER, Hearing, message
from mien.serve.realtime.items import Items, Tell, new_id
from mien.serve.realtime.settings import Settings
from mien.serve.realtime.telling import Telling
from mien.serve.refusals import RefusedError

_MOST_UNANSWERED = 8000  # characters


class Asking:
    """Turns what the client adds to the conversation into questions to the live session."""

    def __init__(self, tell: Tell, items: Items, answers: Answers, hearing: Hearing) -> None:
        self._tell, self._items, self._answers, self._hearing = tell, items, answers, hearing
        self._unanswered: list[tuple[str, str]] = []  # items and their words
        self._results: list[tuple[FunctionCall, str]] = []
        self._wanted: inputs.ResponseSettings | None = None
        self._writing: asyncio.Task[None] | None = None
        self._due = NEVER  # the end of the last turn that the client ended

    def attach(self, live: Session, telling: Telling) -> None:
        """Ask this session from now on; nothing more comes of one before."""
        self._live, self._telling = live, telling
        self._hearing.reset()
        self._due = NEVER

    @property
    def _settings(self) -> Settings:
        return self._answers.settings

    @property
    def _waits(self) -> bool:
        """Whether words of a turn that is over are still to come."""
        return self._hearing.waits or self._hearing.ended < self._due

    async def commit(self) -> None:
        """End the user's turn."""
        ended = await self._live.commit()
        if ended is None:
            self._hearing.empty()
        else:
            self._due = ended

    def create(self, event: inputs.ItemCreate) -> None:
        """Add an item; raises `RefusedError`."""
        item = event.item
        self._items.check_place(event.previous_item_id)
        name = item.id or new_id("item")
        if name in self._items:
            raise RefusedError(f"item {name!r} is there already", "invalid_value", "item.id")
        if item.type == "function_call_output":
            self._result(name, item)
            return
        if item.type != "message":
            raise RefusedError("function calls come from the persona", "invalid_value", "item.type")
        if not item.words or item.role is None:
            raise RefusedError("a message needs a role, and words", "invalid_value", "item.content")
        content = [part.model_dump(exclude_none=True) for part in item.content or ()]
        self._items.add(message(name, item.role, content, "completed"), event.previous_item_id)
        self._items.done(name)
        if item.role == "user":
            self._ask(name, item.words)

    def delete(self, name: str) -> None:
        """Remove an item; one that was not answered yet will not be."""
        self._items.delete(name)
        self._unanswered = [each for each in self._unanswered if each[0] != name]

    def said(self, text: str, *, answered: bool = False) -> None:
        """The words of a turn are known; whether they are being `answered` by themselves."""
        settings = self._settings
        by_itself = answered or (settings.answers and settings.speaks)
        if text and settings.type == "realtime" and not by_itself:
            self._ask(self._items.last or "", text)
        if self._waits:
            return
        wanted, self._wanted = self._wanted, None
        if wanted is not None and answered:
            self._tell("error", error={**self._busy().table(), "event_id": None})
        elif wanted is not None:
            self._answer(wanted)
        elif text and settings.answers and not settings.speaks:
            self._answer(inputs.ResponseSettings())

    def respond(self, wanted: inputs.ResponseSettings) -> None:
        """Answer what was not answered yet, as soon as its words are known; raises `RefusedError`."""
        if self._settings.type == "transcription":
            raise RefusedError("a transcription session answers nothing", "invalid_value", "type")
        if self._answers.current is not None or self._wanted is not None:
            raise self._busy()
        if self._waits:
            self._wanted = wanted
        else:
            self._answer(wanted)

    def truncate(self, event: inputs.ItemTruncate) -> None:
        """Note that only so much of an answer was heard; raises `RefusedError`."""
        self._items.get(event.item_id)
        current = self._answers.current
        for answer in (current, self._answers.last):
            if answer is not None and answer.item == event.item_id:
                if answer is current:
                    self.stop()
                self._live.truncate(answer.turn, event.audio_end_ms / 1000)
        place = {"item_id": event.item_id, "content_index": event.content_index}
        self._tell("conversation.item.truncated", **place, audio_end_ms=event.audio_end_ms)

    def cancel(self, name: str | None) -> None:
        """Stop an answer; raises `RefusedError` when there is none."""
        current = self._answers.current
        if (current is None and self._wanted is None) or (
            name is not None and (current is None or name != current.id)
        ):
            raise RefusedError("no response is being given", "response_cancel_not_active", "response_id")
        self.stop()

    def stop(self) -> None:
        """Stop what is being said or written, or still waits for its question."""
        current, wanted, self._wanted = self._answers.current, self._wanted, None
        if wanted is not None:
            self._answers.begin(Answer(0, self._spoken(wanted), metadata=wanted.metadata))
            self._answers.end("cancelled", "client_cancelled")
        elif current is not None and not current.spoken:
            if self._writing is not None:
                self._writing.cancel()
            self._answers.end("cancelled", "client_cancelled")
        elif current is not None or self._telling.typed:
            self._telling.cancelled = True
            self._live.interrupt()

    async def aclose(self) -> None:
        """Stop writing."""
        if self._writing is not None:
            self._writing.cancel()
            with suppress(asyncio.CancelledError):
                await self._writing

    def _result(self, name: str, item: inputs.Item) -> None:
        """Take what a function returned."""
        call = self._answers.calls.pop(item.call_id or "", None)
        if call is None:
            raise RefusedError(
                f"no call {item.call_id!r} waits for an output", "invalid_value", "item.call_id"
            )
        self._results.append((call, item.output or ""))
        table = item.model_dump(exclude_none=True) | {"id": name, "object": "realtime.item"}
        self._items.add(table | {"status": "completed"})
        self._items.done(name)

    def _ask(self, name: str, words: str) -> None:
        self._unanswered.append((name, words))
        while sum(len(each[1]) for each in self._unanswered) > _MOST_UNANSWERED:
            self._unanswered.pop(0)

    def _answer(self, wanted: inputs.ResponseSettings) -> None:
        given = [item.words for item in wanted.input or () if item.words]
        words = " ".join(given or [each[1] for each in self._unanswered])
        brief = setup.brief(self._settings, wanted, tuple(self._results))
        self._unanswered.clear()
        self._results.clear()
        answer = Answer(0, self._spoken(wanted), words, wanted.metadata)
        if answer.spoken:
            self._speak(answer, brief)
        else:
            work = self._write(self._answers.begin(answer), brief)
            self._writing = asyncio.get_running_loop().create_task(work)

    def _spoken(self, wanted: inputs.ResponseSettings) -> bool:
        return (wanted.output_modalities or self._settings.output_modalities) == ["audio"]

    def _busy(self) -> RefusedError:
        current = self._answers.current
        which = f"response {current.id} is being given" if current is not None else "a response waits"
        return RefusedError(f"{which}; cancel it first", "conversation_already_has_active_response")

    def _speak(self, answer: Answer, brief: Brief) -> None:
        live, language = self._live, self._settings.mien.language
        try:
            asked = answer.asked
            turn = live.text(asked, language, brief) if asked else live.greet(language, brief)
        except InputError as error:
            raise RefusedError(str(error)) from None
        self._telling.typed[turn] = answer

    async def _write(self, answer: Answer, brief: Brief) -> None:
        """Give an answer as text."""
        written = self._live.write(answer.asked, self._settings.mien.language, brief)
        try:
            async with aclosing(written) as texts:  # type: ignore[type-var]
                async for text in texts:
                    if self._answers.current is not answer:  # the user's voice began another
                        return
                    if isinstance(text, FunctionCall):
                        self._answers.call(text)
                    elif isinstance(text, HandOver):
                        self._answers.hand_over(text.reason)
                    else:
                        self._answers.write(text)
        except MienError as error:
            status, why = "failed", str(error)
        else:
            status, why = "completed", ""
        if self._answers.current is answer:
            self._answers.end(status, error=why)
