"""What is said, as a film's subtitle track: players show it when asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mien.errors import require

CODECS = {"mp4": "mov_text", "webm": "webvtt"}  # by container
_TICK = Fraction(1, 1000)


@dataclass(frozen=True, slots=True)
class Caption:
    """`text` from `start_s` until `end_s`, seconds of the film."""

    start_s: float
    end_s: float
    text: str


def add_track(container: Any) -> Any:
    """Add a subtitle track to a container of PyAV that was not begun; return the stream."""
    stream = container.add_mux_stream(CODECS[container.format.name])
    stream.time_base = _TICK
    return stream


def mux(container: Any, stream: Any, captions: Sequence[Caption]) -> None:
    """Write all captions into a container that was begun; the muxer puts them where they belong."""
    av = require("av", extra="video")
    for caption in sorted(captions, key=lambda caption: caption.start_s):
        packet = av.Packet(_coded(caption.text, container.format.name))
        packet.stream, packet.time_base = stream, _TICK
        packet.pts = packet.dts = round(caption.start_s * 1000)
        packet.duration = max(1, round((caption.end_s - caption.start_s) * 1000))
        packet.is_keyframe = True
        container.mux(packet)


def _coded(text: str, container: str) -> bytes:
    """Return a caption as its codec wants it: 3GPP timed text begins with its length (3GPP TS 26.245)."""
    data = text.encode()
    return len(data).to_bytes(2, "big") + data if container == "mp4" else data
