"""What a session gives out. Samples are on the session's output clock unless said otherwise."""

from __future__ import annotations

from dataclasses import dataclass

from mien.audio.pcm import Pcm
from mien.face.pose import FaceTrack
from mien.live.waterfall import Waterfall
from mien.mind.brief import FunctionCall


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """The next stretch of sound with its face.

    `start`: first sample; it takes the place of all that was given out from there on. `length`: samples;
    one stretch begins where another ends, or before. `pcm` None is silence. `face`: the 60 Hz frames
    whose time lies inside, on the session's clock. `turn`: whose answer it is, 0 while listening.
    `text`: the words of the breath that begins here.
    """

    generation: int
    start: int
    length: int
    face: FaceTrack
    pcm: Pcm | None = None
    turn: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class Listening:
    """The user speaks since `input_sample`, on the clock of what was pushed; `spoken_s`: of the loop's."""

    input_sample: int
    spoken_s: float


@dataclass(frozen=True, slots=True)
class Understood:
    """What the user said so far; the first `stable` characters will hardly change."""

    text: str
    stable: int


@dataclass(frozen=True, slots=True)
class Stopped:
    """The user stopped after `input_sample`, and their turn is over; `Committed` or `Unspoken` follows."""

    input_sample: int


@dataclass(frozen=True, slots=True)
class Unspoken:
    """What began was no speech, or was taken back; `reason` is `noise`, `no words`, `echo` or `cleared`."""

    reason: str


@dataclass(frozen=True, slots=True)
class Committed:
    """The user's turn is over, and this is what they said. `turn`: the answer's number, 0: none comes."""

    turn: int
    text: str
    language: str


@dataclass(frozen=True, slots=True)
class Held:
    """The answer stopped at `at`, because the user makes a sound; `Continued` or `Interrupted` follows."""

    turn: int
    at: int


@dataclass(frozen=True, slots=True)
class Continued:
    """It was no interruption: the answer goes on."""

    turn: int


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The answer is over at `at`. `heard`: the words that were heard; `heard_s`: the seconds."""

    turn: int
    at: int
    heard: str
    heard_s: float
    waterfall: Waterfall


@dataclass(frozen=True, slots=True)
class Done:
    """An answer was heard to its end; `calls` are functions that the client is to run now."""

    turn: int
    text: str
    waterfall: Waterfall
    calls: tuple[FunctionCall, ...] = ()


@dataclass(frozen=True, slots=True)
class HandOver:
    """A human is to take over, as the answer said; `Done` or `Interrupted` follows. `reason`: a topic of the
    mind's, or `lost`.
    """

    turn: int
    reason: str


@dataclass(frozen=True, slots=True)
class Failed:
    """A turn could not be answered; the session goes on."""

    turn: int
    message: str


@dataclass(frozen=True, slots=True)
class Silent:
    """Nobody has spoken for `silent_s` seconds."""

    silent_s: float


Event = (
    Listening
    | Stopped
    | Unspoken
    | Understood
    | Committed
    | Held
    | Continued
    | Interrupted
    | HandOver
    | Done
    | Failed
    | Silent
)
Output = Stretch | Event
