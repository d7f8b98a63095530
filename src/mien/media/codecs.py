"""Which container, codecs and encoder options a film's suffix means."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mien.errors import InputError, nearest, require

H264_ENCODER = "MIEN_H264_ENCODER"
OPUS_RATE_HZ = 48_000
_AAC_RATES_HZ = (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000)


@dataclass(frozen=True, slots=True)
class FilmFormat:
    """A container with its encoders; `rates_hz` are the sound rates that the audio codec takes."""

    container: str
    video: str
    audio: str
    rates_hz: tuple[int, ...]
    options: Mapping[str, str]
    pixels: str = "yuv420p"

    def audio_rate_hz(self, wanted_hz: int) -> int:
        """Return `wanted_hz` when the codec takes it, else 48,000."""
        return wanted_hz if wanted_hz in self.rates_hz else OPUS_RATE_HZ


# Constant quality where the encoder has it; see `ffmpeg -h encoder=NAME`.
_H264_OPTIONS: Mapping[str, Mapping[str, str]] = {
    "libx264": {"preset": "veryfast", "crf": "20"},
    "h264_nvenc": {"preset": "p4", "rc": "vbr", "cq": "22", "b": "0"},
    "h264_videotoolbox": {"q": "60"},
    "libopenh264": {"rc_mode": "quality"},
}
_VP9_OPTIONS = {
    "deadline": "realtime",
    "cpu-used": "8",
    "row-mt": "1",
    "tile-columns": "1",
    "crf": "28",
    "b": "0",
}


def film_format(path: Path, encoder: str | None = None, *, alpha: bool = False) -> FilmFormat:
    """Return how to write `path`, by its suffix.

    `encoder`: the H.264 encoder, else `$MIEN_H264_ENCODER`, else libx264. `alpha`: with transparency.
    Raises `InputError` for a suffix or an encoder that is not valid here.
    """
    suffix = path.suffix.lower()
    if alpha and suffix != ".webm":
        raise InputError(
            f"{path.name!r} holds no transparency; write .webm or %05d.png, or choose a colour as background"
        )
    if alpha:
        options = {**_VP9_OPTIONS, "auto-alt-ref": "0"}  # libvpx takes alpha only without such pictures
        return FilmFormat("webm", "libvpx-vp9", "libopus", (OPUS_RATE_HZ,), options, "yuva420p")
    if suffix == ".webm":
        return FilmFormat("webm", "libvpx-vp9", "libopus", (OPUS_RATE_HZ,), _VP9_OPTIONS)
    if suffix == ".mp4":
        video = _h264_encoder(encoder or os.environ.get(H264_ENCODER) or "libx264")
        return FilmFormat("mp4", video, "aac", _AAC_RATES_HZ, _H264_OPTIONS.get(video, {}))
    raise InputError(f"can not write a film to {path.name!r}{nearest(suffix, ('.mp4', '.webm'))}")


def _h264_encoder(name: str) -> str:
    av = require("av", extra="video")
    here = [one for one in sorted(av.codecs_available) if _encodes_h264(one)]
    if name not in here:
        raise InputError(f"no H.264 encoder {name!r} here; available: {', '.join(here)}")
    return name


def _encodes_h264(name: str) -> bool:
    av = require("av", extra="video")
    if "264" not in name:
        return False
    try:
        return bool(av.Codec(name, "w").canonical_name == "h264")
    except av.codec.codec.UnknownCodecError:
        return False
