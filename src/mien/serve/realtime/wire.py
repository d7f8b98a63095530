"""What a connection asks of the transport below it, and how a connection ends."""

from __future__ import annotations

import base64
import json
from enum import Enum, auto
from typing import Any, Protocol, TypeVar

from mien.serve.refusals import RefusedError

Event = dict[str, Any]
"""An event of the protocol; its sound, faces and pictures are bytes."""
Received = str | bytes | RefusedError
"""An event as JSON, sound in the format of the session's input, or why a message is neither."""
Packed = TypeVar("Packed", str, bytes)


class Ending(Enum):
    """Why a connection is over."""

    LEFT = auto()  # the client closed it
    LOST = auto()  # it may come back
    SLOW = auto()  # it does not read
    FAST = auto()  # it sends too much
    REPLACED = auto()  # the session went on elsewhere
    OVER = auto()  # the session ended
    LONG = auto()  # it lasted as long as one may
    DRAINED = auto()  # the server ends


REASONS = {
    Ending.SLOW: "you read too slowly; more than 4 MiB waited",
    Ending.FAST: "too many events came for too long",
    Ending.REPLACED: "the session went on in another connection",
    Ending.LONG: "the session lasted as long as one may; begin another",
    Ending.OVER: "the session ended",
    Ending.DRAINED: "the server ends; connect again",
}
"""What the client is told of an ending that is the server's."""


class GoneError(Exception):
    """The client is gone: `LEFT` or `LOST`."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.name.lower())
        self.ending = ending


class Wire(Protocol[Packed]):
    """A client's end of a transport, from its being let in to its close."""

    def pack(self, event: Event) -> Packed:
        """Return an event as `send` takes it; its length is what it weighs while it waits."""

    async def receive(self) -> Received:
        """Return what the next message says; raises `GoneError`."""

    async def send(self, message: Packed) -> None:
        """Send, and wait while the client can take no more; raises `GoneError`."""

    async def close(self, ending: Ending) -> None:
        """Tell the client why it is over; one that is gone already is no error."""


def as_json(event: Event) -> str:
    """Return an event as JSON, bytes in it as base64."""
    return json.dumps(event, ensure_ascii=False, separators=(",", ":"), default=_base64)


def _base64(value: object) -> str:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    raise TypeError(f"{type(value).__name__} is nothing that an event holds")
