"""Minds for a session: a persona's own, and one for personas that have none."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import dataclass

from mien.face.feeling import Emotion
from mien.live.mind import Asked, Mind, Said
from mien.live.phrases import Opening
from mien.mind import Mind as Knowledge
from mien.mind import MindState
from mien.mind.openings import openings
from mien.persona import Persona

_HELLO = frozenset("hello hi hey morning afternoon evening 你好 您好".split())
_BYE = frozenset("bye goodbye 再见 拜拜".split())
_HAPPY = Emotion("happy", 0.5)
_KNOWN_EN = ("Hello! What can I do for you?", "Goodbye!", "All right, you said: ", ".")
_KNOWN_ZH = ("你好！请说吧。", "再见！", "好的，你说：", "。")


def load(persona: Persona) -> Mind:
    """Return the persona's mind, or, when it has none, one that greets and repeats.

    Raises `InputError` for a mind with errors, `MissingError` for an extra that is not there.
    """
    folder = persona.spec.mind
    return (
        Greeter(persona.spec.language)
        if folder is None
        else KnowingMind(Knowledge.load(folder), persona.spec.language)
    )


@dataclass(slots=True)
class KnowingMind:
    """A `mien.mind.Mind` as a session asks it: its state goes along with what it says, and actions and the
    language model wait until the turn is known to be over.
    """

    mind: Knowledge
    language: str

    async def answer(self, asked: Asked) -> AsyncGenerator[Said, None]:
        """Answer a turn; what needs no waiting can be prepared."""
        before = self._before(asked)
        if asked.text or asked.brief.results:
            answer = await self.mind.answer(asked.text, before, asked.brief)
        else:
            answer = self.mind.welcome(before)
        for part in answer.opening:
            yield Said(part.text, part.emotion, part.language, answer.state)
        if answer.waits:
            await asked.confirmed.wait()
        left = len(answer.opening)
        async with aclosing(answer.parts()) as parts:
            async for part in parts:
                left -= 1
                if left < 0:
                    yield Said(part.text, part.emotion, part.language, answer.state, part.call)
        yield Said("", state=answer.state, hand_over=answer.hand_over or "")

    def openings(self) -> Iterator[Opening]:
        """Yield with what answers may begin."""
        for each in openings(self.mind.content):
            said = [Said(part.text, part.emotion, part.language) for part in each.parts]
            yield Opening(said, each.ends)

    def _before(self, asked: Asked) -> MindState:
        """Return the state before a turn: of an answer that was cut, it knows what was heard."""
        if not isinstance(asked.state, MindState):
            return self.mind.begin(self.language)
        last = asked.history[-1] if asked.history else None
        return asked.state.heard_only(last.answer) if last is not None and last.cut else asked.state


@dataclass(slots=True)
class Greeter:
    """Greets who greets, says goodbye, and repeats all else, in English or Chinese."""

    language: str = "en"

    def openings(self) -> Iterator[Opening]:
        """Yield with what answers may begin, in the persona's language."""
        known = _KNOWN_ZH if self.language.startswith("zh") else _KNOWN_EN
        yield from (Opening([Said(text, _HAPPY)]) for text in known[:2])
        yield Opening([Said(known[2]), Said("so ")], ends=False)

    async def answer(self, asked: Asked) -> AsyncGenerator[Said, None]:
        """Answer a turn."""
        said = asked.text.lower().strip(" .,!?。！？")
        known = _KNOWN_ZH if asked.language == "zh" else _KNOWN_EN
        if _BYE & _parts(said):
            yield Said(known[1], _HAPPY)
        elif not said or (_HELLO & _parts(said) and len(said) < 24):
            yield Said(known[0], _HAPPY)
        else:
            yield Said(f"{known[2]}{said}{known[3]}")


def _parts(said: str) -> set[str]:
    return {part.strip(".,!?。！？") for part in said.split()}
