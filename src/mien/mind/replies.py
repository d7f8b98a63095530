"""Acts of speech → parts to say: a wording that was not the last, its fields filled."""

from __future__ import annotations

import zlib
from dataclasses import replace

from mien.face.feeling import Emotion
from mien.mind.acts import Say
from mien.mind.state import MindState
from mien.mind.template import Part, render


def say(state: MindState, act: Say, tone: Emotion | None, seed: int) -> tuple[MindState, tuple[Part, ...]]:
    """Return the parts of one act, and the state that remembers its wording; one seed, one conversation."""
    language = (
        state.language if state.language in act.texts.ways else next(iter(act.texts.ways), state.language)
    )
    ways = act.texts.of(language)
    if not ways:
        return state, ()
    key = f"{act.texts.key}/{language}"
    way = _way(len(ways), state.used.get(key), f"{seed}/{key}/{state.turns}")
    state = state.with_used(key, way) if len(ways) > 1 else state
    return state, _ended(tuple(render(ways[way], act.values, language, tone)))


def _ended(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return the parts with a space at the end, where a next sentence may follow in the same breath."""
    if not parts or parts[-1].language == "zh":
        return parts
    return (*parts[:-1], replace(parts[-1], text=parts[-1].text + " "))


def text(parts: tuple[Part, ...]) -> str:
    """Return what parts say, as one text."""
    return " ".join(part.text.strip() for part in parts)


def _way(ways: int, last: int | None, chance: str) -> int:
    """Return a way that is not the last one, chosen by the hash of `chance`."""
    number = zlib.crc32(chance.encode())
    if last is None or ways == 1:
        return number % ways
    return (last + 1 + number % (ways - 1)) % ways
