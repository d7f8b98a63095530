"""The answer to one turn: what can be said at once, and what has to be waited for."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING

from mien.errors import ResourceError
from mien.mind import forms, policy, replies, values
from mien.mind.acts import Act, Call, HandOver, Say, Think
from mien.mind.brief import NOTHING, Brief, FunctionCall
from mien.mind.model.deltas import ToolCall
from mien.mind.state import MindState
from mien.mind.template import Part

if TYPE_CHECKING:
    from mien.mind.mind import Mind

_log = logging.getLogger(__name__)


class Answer:
    """What the mind says to a turn. Nothing outside has happened until `parts` is iterated.

    So a turn can be prepared before it is sure that the user is done: `opening` is what will be said
    first, known without waiting. Who drops the answer has changed nothing; the state before still holds.
    `state` is the conversation after what `parts` has yielded so far. `hand_over`: why a human takes over.
    """

    def __init__(self, mind: Mind, state: MindState, acts: tuple[Act, ...], brief: Brief = NOTHING) -> None:
        self._mind, self._brief = mind, brief
        self.hand_over: str | None = None
        self.state = state
        said: list[Part] = []
        while acts and isinstance(acts[0], Say):
            self.state, parts = replies.say(self.state, acts[0], mind.content.manners.tone, mind.seed)
            said += parts
            acts = acts[1:]
        self.opening = tuple(said)
        self._acts = acts
        self._spoken: list[str] = []
        self._record(self.opening)

    @property
    def waits(self) -> bool:
        """Whether something outside (an action, a language model) comes after the opening."""
        return any(isinstance(act, Call | Think) for act in self._acts)

    async def parts(self) -> AsyncGenerator[Part, None]:
        """Yield all that is said, the opening first; actions are called on the way. Iterate it once.

        It may be closed or cancelled at any time: calls that are under way are then given up.
        """
        for part in self.opening:
            yield part
        acts, self._acts = self._acts, ()
        while acts:
            act, acts = acts[0], acts[1:]
            if isinstance(act, Say):
                for part in self._say(act):
                    yield part
            elif isinstance(act, HandOver):
                self.hand_over = act.reason
            elif isinstance(act, Call):
                acts = (*await self._called(act), *acts)
            else:
                async with aclosing(self._thought(act)) as thought:
                    async for part_or_acts in thought:
                        if isinstance(part_or_acts, Part):
                            yield part_or_acts
                        else:
                            acts = (*part_or_acts, *acts)

    def _say(self, act: Say) -> tuple[Part, ...]:
        self.state, parts = replies.say(self.state, act, self._mind.content.manners.tone, self._mind.seed)
        self._record(parts)
        return parts

    def _record(self, parts: tuple[Part, ...]) -> None:
        """Keep in the history what is said: one entry a turn."""
        if parts:
            earlier = bool(self._spoken)
            self._spoken.append(replies.text(parts))
            whole = " ".join(self._spoken)
            self.state = self.state.heard_only(whole) if earlier else self.state.said("assistant", whole)

    async def _called(self, call: Call) -> tuple[Act, ...]:
        action = self._mind.content.topics[call.topic].action
        if action is None:
            return ()
        outcome = await self._mind.caller.call(action, call.values)
        self.state, acts = policy.after(self._mind.content, self.state, call, outcome)
        return acts

    async def _thought(self, act: Think) -> AsyncGenerator[Part | tuple[Act, ...], None]:
        """Yield what the language model says, or the acts that stand in for it."""
        model, content = self._mind.model, self._mind.content
        said = False
        try:
            if model is None:
                raise ResourceError("no language model")
            theirs = {function.name for function in self._brief.functions}
            async with aclosing(model.answer(content, self.state, act.passages, self._brief)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, ToolCall) and piece.name in theirs:
                        said = True
                        yield Part("", call=FunctionCall(piece.id, piece.name, piece.arguments))
                        continue
                    if isinstance(piece, ToolCall):
                        yield self._wanted(piece)
                        return
                    part = Part(piece, content.manners.tone, self.state.language)
                    said = said or bool(piece.strip())
                    self._stream(piece)
                    yield part
        except ResourceError as error:
            _log.warning("the language model did not answer, the knowledge does: %s", error)
            if not said:
                self.state, acts = policy.known(content, self.state, act.passages)
                yield acts

    def _stream(self, piece: str) -> None:
        """Keep a piece of a streamed answer in the history."""
        first = not self._spoken
        self._spoken = ["".join((*self._spoken, piece))]
        self.state = self.state.said("assistant", piece) if first else self.state.heard_only(self._spoken[0])

    def _wanted(self, call: ToolCall) -> tuple[Act, ...]:
        """Begin the form of what the model wants: its values are checked and confirmed like spoken ones."""
        content = self._mind.content
        topic = content.topics.get(call.name)
        if topic is None or topic.kind != "intent":
            _log.warning("the language model called %r, which is no topic of this mind", call.name)
            self.state, acts = policy.known(content, self.state, ())
            return acts
        slots = {slot.name: slot for slot in topic.slots}
        checked = {
            name: values.valid(slots[name], value, content.manners)
            for name, value in call.values.items()
            if name in slots
        }
        given = {name: value for name, value in checked.items() if value}
        if topic.slots or topic.action:
            self.state, acts = forms.enter(content, self.state, topic, given)
        else:
            self.state, acts = policy.answer(content, self.state, topic)
        return acts
