"""What a session asks of a mind. Any object of this shape serves; `mien.mind` has one, `simple` another."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any, Protocol

from mien.face.feeling import Emotion
from mien.mind.brief import NOTHING, Brief, FunctionCall


@dataclass(frozen=True, slots=True)
class Exchange:
    """What the user said, and of the answer what they heard; `cut`: they did not hear it to its end."""

    user: str
    answer: str
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """One turn, as a mind gets it.

    `text`: the user's words, none when the persona begins; `language`: ISO 639-1; `history`: the exchanges
    before, oldest first; `state`: what the mind gave as `Said.state` with the last words that were heard
    (None at first). `confirmed` is set
    when the turn is known to be over: wait for it before anything that changes the world. `brief`: what the
    client adds for a language model.
    """

    text: str
    language: str
    history: tuple[Exchange, ...] = ()
    state: Any = None
    confirmed: asyncio.Event = field(default_factory=asyncio.Event, compare=False, repr=False)
    brief: Brief = NOTHING


@dataclass(frozen=True, slots=True)
class Said:
    """The next piece of an answer: any part of a text, as it comes.

    `emotion` None leaves the feeling as it was; `language` empty is the persona's.
    `state`: what the mind wants to know in the next turn, once these words were heard; None: nothing new.
    It must not be changed afterwards, since turns are also answered on trial. `call`: a function that the
    client is to run when this was heard. `hand_over`: why a human is to take over after this answer.
    """

    text: str
    emotion: Emotion | None = None
    language: str = ""
    state: Any = None
    call: FunctionCall | None = None
    hand_over: str = ""


class Piece(Protocol):
    """What a mind yields, such as `Said`."""

    @property
    def text(self) -> str:
        """The next part of the text; may be empty."""

    @property
    def emotion(self) -> Emotion | None:
        """How it is said."""

    @property
    def language(self) -> str:
        """In which language; empty: the persona's."""

    @property
    def state(self) -> Any:
        """See `Said.state`."""

    @property
    def call(self) -> FunctionCall | None:
        """See `Said.call`."""

    @property
    def hand_over(self) -> str:
        """See `Said.hand_over`."""


class Mind(Protocol):
    """Words → what to say. It keeps nothing of a session itself: a session answers some turns on trial, and
    forgets them when the user goes on.
    """

    def answer(self, asked: Asked) -> AsyncGenerator[Piece, None]:
        """Answer a turn, piece by piece; closing the generator stops the work."""
