"""Answers as the protocol tells them: created, given, done."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any

from mien.mind.brief import FunctionCall
from mien.serve.realtime.hearing import message
from mien.serve.realtime.items import Items, Tell, new_id
from mien.serve.realtime.settings import Settings
from mien.serve.realtime.sound import CLOCK_HZ

_SOUND_TOKENS = 10  # a second of sound


@dataclass(slots=True)
class Answer:
    """One response. `turn`: the session's number; `asked`: the user's words; `spoken` or written."""

    turn: int
    spoken: bool
    asked: str = ""
    metadata: dict[str, str] | None = None
    failure: str = ""
    id: str = field(default_factory=lambda: new_id("resp"))
    item: str = field(default_factory=lambda: new_id("item"))
    parts: list[str] = field(default_factory=list)
    samples: int = 0
    has_message: bool = False
    output: list[dict[str, Any]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """What was given out."""
        return (" " if self.spoken else "").join(self.parts)


class Answers:
    """At most one answer at a time, told as it is made; `settings` are those of the session."""

    def __init__(self, tell: Tell, items: Items, settings: Settings) -> None:
        self._tell, self._items = tell, items
        self.settings = settings
        self.current: Answer | None = None
        self.last: Answer | None = None
        self.spoke = False
        self.calls: dict[str, FunctionCall] = {}  # whose results are still to come
        self._idle = asyncio.Event()
        self._idle.set()

    async def idle(self) -> None:
        """Wait until no answer is being given."""
        await self._idle.wait()

    def begin(self, answer: Answer) -> Answer:
        """Tell that an answer begins."""
        self.current = answer
        self._idle.clear()
        self._tell("response.created", response=self._response(answer, "in_progress"))
        return answer

    def words(self, text: str, start: int) -> None:
        """A breath begins at a sample of the session's clock."""
        if (answer := self._open()) is not None and text:
            delta = f" {text}" if answer.parts else text
            answer.parts.append(text)
            self._delta("output_audio_transcript", answer, delta, mien={"start": start})

    def sound(self, data: bytes, start: int, samples: int) -> None:
        """Sound of so many of the clock's samples begins at `start`."""
        if (answer := self._open()) is not None:
            answer.samples += samples
            self.spoke = True
            self._delta("output_audio", answer, data, mien={"start": start})

    def write(self, text: str) -> None:
        """The next text of a written answer."""
        if (answer := self._open()) is not None:
            answer.parts.append(text)
            self._delta("output_text", answer, text)

    def call(self, wanted: FunctionCall) -> None:
        """The mind wants a function of the client's to be called."""
        answer, name, arguments = self.current, wanted.name, wanted.arguments
        if answer is None:
            return
        call_id = wanted.id or new_id("call")
        self.calls[call_id] = replace(wanted, id=call_id)
        index, item = len(answer.output) + answer.has_message, new_id("item")
        table = {"id": item, "object": "realtime.item", "type": "function_call", "call_id": call_id}
        table |= {"name": name, "arguments": "", "status": "in_progress"}
        place = {"response_id": answer.id, "item_id": item, "output_index": index, "call_id": call_id}
        self._tell("response.output_item.added", response_id=answer.id, output_index=index, item=dict(table))
        self._items.add(table)
        self._tell("response.function_call_arguments.delta", **place, delta=arguments)
        self._tell("response.function_call_arguments.done", **place, name=name, arguments=arguments)
        table |= {"arguments": arguments, "status": "completed"}
        answer.output.append(table)
        self._items.done(item)
        self._tell("response.output_item.done", response_id=answer.id, output_index=index, item=dict(table))

    def hand_over(self, reason: str) -> None:
        """A human is to take over. The response says so too, for clients that know OpenAI's events alone."""
        answer = self.current
        if answer is not None:
            answer.metadata = {**(answer.metadata or {}), "mien_hand_over": reason[:512]}
            self._tell("mien.hand_over", response_id=answer.id, reason=reason)

    def end(self, status: str, reason: str = "", error: str = "", heard: str | None = None) -> None:
        """Tell that the answer is over. `heard`: what of a spoken one was heard."""
        answer, self.current = self.current, None
        self._idle.set()
        if answer is None:
            return
        self.last = answer
        if heard is not None:
            answer.parts = [heard]
        if answer.has_message:
            self._close(answer, status)
        response = self._response(answer, status)
        if reason or error:
            detail = {"type": "server_error", "code": "answer_failed", "message": error} if error else None
            response["status_details"] = {"type": status, "reason": reason or None, "error": detail}
        self._tell("response.done", response=response)

    def _open(self) -> Answer | None:
        """Return the current answer, its message begun."""
        answer = self.current
        if answer is not None and not answer.has_message:
            answer.has_message = True
            item = message(answer.item, "assistant", [], "in_progress")
            self._tell("response.output_item.added", response_id=answer.id, output_index=0, item=dict(item))
            self._items.add(item)
            self._tell("response.content_part.added", **self._place(answer), part=self._part(answer, ""))
        return answer

    def _close(self, answer: Answer, status: str) -> None:
        place, text = self._place(answer), answer.text
        if answer.spoken:
            self._tell("response.output_audio.done", **place)
            self._tell("response.output_audio_transcript.done", **place, transcript=text)
        else:
            self._tell("response.output_text.done", **place, text=text)
        self._tell("response.content_part.done", **place, part=self._part(answer, text))
        item = self._message(answer, status)
        if answer.item in self._items:
            self._items.get(answer.item).update(item)
        self._items.done(answer.item)
        self._tell("response.output_item.done", response_id=answer.id, output_index=0, item=item)

    def _message(self, answer: Answer, status: str) -> dict[str, Any]:
        kind = "output_audio" if answer.spoken else "output_text"
        content = {"type": kind, "transcript" if answer.spoken else "text": answer.text}
        whole = "completed" if status == "completed" else "incomplete"
        return message(answer.item, "assistant", [content], whole)

    def _part(self, answer: Answer, text: str) -> dict[str, Any]:
        return {"type": "audio", "transcript": text} if answer.spoken else {"type": "text", "text": text}

    def _place(self, answer: Answer) -> dict[str, Any]:
        return {"response_id": answer.id, "item_id": answer.item, "output_index": 0, "content_index": 0}

    def _delta(self, kind: str, answer: Answer, delta: str | bytes, **fields: Any) -> None:
        self._tell(f"response.{kind}.delta", **self._place(answer), delta=delta, **fields)

    def _response(self, answer: Answer, status: str) -> dict[str, Any]:
        over = status != "in_progress"
        output = [self._message(answer, status)] if answer.has_message and over else []
        sound = self.settings.audio.output
        return {
            "object": "realtime.response",
            "id": answer.id,
            "status": status,
            "status_details": None,
            "output": [*output, *answer.output],
            "conversation_id": None,
            "output_modalities": ["audio" if answer.spoken else "text"],
            "max_output_tokens": self.settings.max_output_tokens,
            "audio": {"output": {"format": sound.format.model_dump(), "voice": self.settings.mien.persona}},
            "usage": _usage(answer) if over else None,
            "metadata": answer.metadata,
        }


def _usage(answer: Answer) -> dict[str, Any]:
    asked, text = len(answer.asked.split()), len(answer.text.split())
    sound = answer.samples * _SOUND_TOKENS // CLOCK_HZ
    return {
        "total_tokens": asked + text + sound,
        "input_tokens": asked,
        "output_tokens": text + sound,
        "input_token_details": {"text_tokens": asked, "audio_tokens": 0, "cached_tokens": 0},
        "output_token_details": {"text_tokens": text, "audio_tokens": sound},
    }
