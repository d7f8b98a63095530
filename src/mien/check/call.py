"""One call to a server: a question, its answer, and what a player shows of it as it comes."""

from __future__ import annotations

import base64
import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from mien.audio.pcm import Pcm, Samples
from mien.errors import require

if TYPE_CHECKING:
    from mien.face.pose import FaceTrack
    from mien.measure.offset import Offset

RATE_HZ: Final = 24_000
_QUESTIONS: Final = (
    "Hello, what can you do for me?",
    "Thank you. Where can I find you, and when are you open?",
    "Please tell me more about it.",
)
_LONGEST_S: Final = 25.0  # of a call
_ENOUGH_S: Final = 8.0  # of sound
_LATE_S: Final = 0.005
_MOUTH_MM: Final = 50.0  # its width


@dataclass(slots=True)
class Call:
    """What was noted. `sounds`: (arrival in s, first sample's place, samples); `faces`: (arrival in s, first
    frame's place in samples, frames). Times in milliseconds: `connected_ms`, `greeted_ms` after that,
    `first_ms` from the question to the first sound. `refused`: why there was no session.
    """

    connected_ms: float = 0.0
    greeted_ms: float = 0.0
    first_ms: float | None = None
    refused: str = ""
    error: str = ""
    words: str = ""
    sounds: list[tuple[float, int, Samples]] = field(default_factory=list)
    faces: list[tuple[float, int, FaceTrack]] = field(default_factory=list)

    @property
    def sound_s(self) -> float:
        """The length of what was said, in seconds."""
        return sum(len(samples) for _, _, samples in self.sounds) / RATE_HZ

    @property
    def heard(self) -> Samples:
        """What is heard from the first sample on: the pauses between answers are silent."""
        if not self.sounds:
            return np.zeros(0, np.float32)
        first = self.sounds[0][1]
        made = np.zeros(max(place - first + len(part) for _, place, part in self.sounds), np.float32)
        for _, place, part in self.sounds:
            if place >= first:
                made[place - first :][: len(part)] = part
        return made

    @property
    def frames(self) -> int:
        """How many frames of the face came."""
        return sum(len(track) for _, _, track in self.faces)

    @property
    def late_ms(self) -> float:
        """How much later sound came than a player needed it that began with the first."""
        if not self.sounds:
            return 0.0
        began, start, _ = self.sounds[0]
        worst = max(at - began - (place - start) / RATE_HZ for at, place, _ in self.sounds)
        return 1000 * worst if worst > _LATE_S else 0.0

    @property
    def faceless_share(self) -> float:
        """The share of the sound whose face had not come when it was played."""
        times, shown = _presented(self)
        return float(np.mean(np.isnan(shown[:, 0]))) if len(times) else 1.0


def talk(address: str, token: str) -> Call:
    """Ask questions by text until enough was said; what goes wrong is noted, too."""
    websockets = require("websockets", extra="serve")
    client = require("websockets.sync.client", extra="serve")
    made, began = Call(), time.perf_counter()
    headers = {"authorization": f"Bearer {token}"} if token else {}
    url = f"ws{address.removeprefix('http')}/v1/realtime?model=mien"
    try:
        with client.connect(url, additional_headers=headers, max_size=None, compression=None) as socket:
            made.connected_ms = 1000 * (time.perf_counter() - began)
            _greet(made, socket)
            until = time.perf_counter() + _LONGEST_S
            for question in _QUESTIONS:
                if made.sound_s < _ENOUGH_S and not made.error and time.perf_counter() < until:
                    _ask(socket, question)
                    _listen(made, socket, until)
    except websockets.InvalidStatus as error:
        made.refused = f"the server says {error.response.status_code}"
    except (OSError, websockets.WebSocketException) as error:
        made.refused = str(error)
    return made


def _greet(made: Call, socket: Any) -> None:
    began = time.perf_counter()
    json.loads(socket.recv(timeout=_LONGEST_S))
    made.greeted_ms = 1000 * (time.perf_counter() - began)
    settings = {"type": "realtime", "mien": {"face": True}}
    socket.send(json.dumps({"type": "session.update", "session": settings}))


def _ask(socket: Any, question: str) -> None:
    message = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": question}]}
    socket.send(json.dumps({"type": "conversation.item.create", "item": message}))
    socket.send(json.dumps({"type": "response.create"}))


def _listen(made: Call, socket: Any, until: float) -> None:
    """Note what comes until the answer was heard to its end."""
    asked = time.perf_counter()
    while (left := until - time.perf_counter()) > 0:
        try:
            event = json.loads(socket.recv(timeout=left))
        except TimeoutError:
            return
        _take(made, event, asked)
        if event["type"] == "response.done" or made.error:
            return


def _take(made: Call, event: dict[str, Any], asked: float) -> None:
    kind, at = event["type"], time.perf_counter()
    if kind == "response.output_audio.delta":
        made.first_ms = 1000 * (at - asked) if made.first_ms is None else made.first_ms
        coded = np.frombuffer(base64.b64decode(event["delta"]), "<i2")
        samples = np.asarray(coded / 32_768, np.float32)
        made.sounds.append((at, int(event["mien"]["start"]), samples))
    elif kind == "mien.face.delta":
        from mien.serve.realtime.frames import unpack

        made.faces.append((at, int(event["start"]), unpack(base64.b64decode(event["frames"]))))
    elif kind == "response.output_audio_transcript.delta":
        made.words += event["delta"]
    elif kind == "error":
        made.error = str(event["error"]["message"])


def _presented(made: Call) -> tuple[Samples, np.ndarray[Any, np.dtype[np.float32]]]:
    """Return, 60 times a second of the sound, the time in s and the weights (T, 52) that are shown: those of
    the frame whose place is reached, if it has come by then; NaN else.
    """
    if not made.sounds:
        return np.zeros(0, np.float32), np.zeros((0, 52), np.float32)
    began, first, _ = made.sounds[0]
    delay = made.late_ms / 1000  # a player that waits so long plays without a gap
    times = np.arange(round(len(made.heard) / RATE_HZ * 60)) / 60
    shown = np.full((len(times), 52), np.nan, np.float32)
    for at, place, track in made.faces:  # later ones take the place of earlier ones
        stamps = (place - first) / RATE_HZ + np.arange(len(track)) / track.rate_hz
        rows = np.rint(stamps * 60).astype(np.int64)
        fits = (rows >= 0) & (rows < len(times)) & (at <= began + delay + stamps)
        shown[rows[fits]] = track.weights[fits]
    return times.astype(np.float32), shown


def offset(made: Call) -> Offset:
    """Return how far the mouth that is shown leads the sound that is played, measured as in a film."""
    from mien.face.metrics import gap_mm
    from mien.measure.lips import closures, opening
    from mien.measure.offset import brightness, measure_offset
    from mien.measure.sound import HOP_S, hear
    from mien.measure.speech import speech

    sound = hear(Pcm(made.heard, RATE_HZ))
    times, shown = _presented(made)
    grid = np.arange(round(sound.duration_s / HOP_S) + 1) * HOP_S
    apart = opening(np.interp(grid, times, np.maximum(gap_mm(shown), 0.0) / _MOUTH_MM))
    return measure_offset(apart, closures(apart), brightness(sound), speech(sound))
