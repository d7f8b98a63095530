"""Answers that are known are spoken before anybody asks: their first seconds then cost nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from mien.live.mind import Mind, Said
from mien.live.script import Phrasing
from mien.persona import Persona
from mien.progress import Progress, silent
from mien.speech.breath import Breath
from mien.speech.languages import base

_LETTERS = 14  # of an answer that are spoken ahead: a second, in which the rest begins to be made


@dataclass(frozen=True, slots=True)
class Opening:
    """How an answer begins; `ends`: it is the whole answer."""

    pieces: Sequence[Said]
    ends: bool = True


@runtime_checkable
class Foreseeable(Protocol):
    """A mind that knows with what some of its answers begin."""

    def openings(self) -> Iterable[Opening]:
        """Return how answers may begin, in all languages."""


async def prepare(
    persona: Persona, mind: Mind, progress: Progress = silent, *, within_s: float = math.inf
) -> int:
    """Load the voice, and speak ahead how answers may begin; return how many breaths are ready.

    They are kept in `$MIEN_HOME/phrases`: the second time this takes moments, and what was not done in
    `within_s` seconds goes on there; the persona's own language comes first. Raises what the voice raises for
    a text that it can not speak.
    """
    known = list(mind.openings()) if isinstance(mind, Foreseeable) else []
    own = base(persona.spec.language)
    known.sort(key=lambda opening: opening.pieces[0].language not in ("", own))
    breaths = list(dict.fromkeys(breath for each in known for breath in _first(each, persona)))
    return await persona.prepare(breaths, progress, within_s=within_s)


def _first(opening: Opening, persona: Persona) -> Iterator[Breath]:
    """Yield the first breaths of an opening, those that are whole whatever follows."""
    phrasing = Phrasing(persona.spec.language, persona.spec.lexicon, grows=persona.spec.is_slow)
    lines = [line for piece in opening.pieces for line in phrasing.feed(piece)]
    lines += phrasing.finish() if opening.ends else []
    letters = 0
    for line in lines:
        if letters >= _LETTERS:
            return
        letters += len(line.breath.text)
        if line.breath.pieces:
            yield line.breath
