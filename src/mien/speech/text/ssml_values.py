"""The values of SSML attributes: times, rates, pitches, volumes, names."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import TypeVar

from mien.errors import InputError, nearest
from mien.face.feeling import Look

T = TypeVar("T")

LONGEST_BREAK_S = 30.0
BREAKS_S = {"none": 0.0, "x-weak": 0.1, "weak": 0.2, "medium": 0.4, "strong": 0.7, "x-strong": 1.2}
RATES = {"x-slow": 0.5, "slow": 0.75, "medium": 1.0, "default": 1.0, "fast": 1.25, "x-fast": 1.6}
PITCHES = {"x-low": -6.0, "low": -3.0, "medium": 0.0, "default": 0.0, "high": 3.0, "x-high": 6.0}
VOLUMES = {
    "silent": -60.0,
    "x-soft": -12.0,
    "soft": -6.0,
    "medium": 0.0,
    "default": 0.0,
    "loud": 4.0,
    "x-loud": 8.0,
}
EMPHASES = {"strong": 1.0, "moderate": 0.6, "reduced": 0.0, "none": 0.0}
# The character's own left and right; degrees as in `Look`: yaw to the left, pitch down.
LOOKS = {
    name: Look(math.radians(yaw), math.radians(pitch))
    for name, (yaw, pitch) in {
        "camera": (0, 0),
        "left": (20, 0),
        "right": (-20, 0),
        "up": (0, -12),
        "down": (0, 15),
        "away": (25, 8),
    }.items()
}
_TIME = re.compile(r"\+?(\d{1,6}(?:\.\d{1,6})?|\.\d{1,6})(s|ms)\Z")
_NUMBER = re.compile(r"[+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})\Z")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*\Z")


def number(what: str, value: str) -> float:
    """Parse a decimal number."""
    if not _NUMBER.match(value.strip()):
        raise InputError(f"{what} {value!r} is not a number")
    return float(value)


def within(what: str, value: float, low: float, high: float, unit: str = "") -> float:
    """Return `value` when it lies in the range, else raise."""
    if not low <= value <= high:
        raise InputError(f"{what} {value:g}{unit and ' '}{unit} is outside {low:g} to {high:g}")
    return value


def named(what: str, value: str, table: Mapping[str, T]) -> T:
    """Look a name up, or raise with the nearest."""
    name = value.strip().lower()
    if name not in table:
        raise InputError(f"{what} {value!r} is unknown{nearest(name, table)}")
    return table[name]


def language(value: str) -> str:
    """Return a language tag as `Piece` has it: `"en"`, `"en-gb"`, `"zh"`."""
    if not _LANGUAGE.match(value.strip()):
        raise InputError(f"xml:lang {value!r} is not a language; give a tag such as en, en-GB or zh-CN")
    tag = value.strip().replace("_", "-").lower()
    return {"cmn": "zh", "zh-cn": "zh", "cmn-hans-cn": "zh", "en-us": "en"}.get(tag, tag)


def pause(attributes: Mapping[str, str]) -> float:
    """Return the length of a `<break>`, seconds; `time` wins over `strength`."""
    if "time" not in attributes:
        return named("strength", attributes.get("strength", "medium"), BREAKS_S)
    match = _TIME.match(attributes["time"].strip())
    if not match:
        raise InputError(f"time {attributes['time']!r} is not a time; write it as 500ms or 1.5s")
    seconds = float(match[1]) / (1000.0 if match[2] == "ms" else 1.0)
    return within("time", seconds, 0.0, LONGEST_BREAK_S, "s")


def _percentage(what: str, text: str) -> float:
    """Return `120%`, `+20%` or `-10%` as a factor; a sign makes it a change."""
    share = number(what, text[:-1]) / 100.0
    return 1.0 + share if text[0] in "+-" else share


def rate(value: str) -> float:
    """Return a speaking rate as a factor: a name, `120%`, `+20%`, `-10%` or `1.2`."""
    text = value.strip().lower()
    if text in RATES:
        return RATES[text]
    if text.endswith("%"):
        return _percentage("rate", text)
    if not _NUMBER.match(text) or text[0] in "+-":
        raise InputError(f"rate {value!r} is unknown; give {', '.join(RATES)}, a percentage or a factor")
    return float(text)


def pitch(value: str) -> float:
    """Return a pitch in semitones: a name, `+2st` or `-10%`."""
    text = value.strip().lower()
    if text in PITCHES:
        return PITCHES[text]
    if text.endswith("st"):
        return number("pitch", text[:-2])
    if text.endswith("%"):
        percent = within("pitch", _percentage("pitch", text) * 100.0, 50, 200, "%")
        return 12.0 * math.log2(percent / 100.0)
    raise InputError(
        f"pitch {value!r} is unknown; give {', '.join(PITCHES)}, semitones (+2st) or a percentage"
    )


def volume(value: str) -> float:
    """Return a volume in dB: a name, `+6dB` or `-20%`."""
    text = value.strip().lower()
    if text in VOLUMES:
        return VOLUMES[text]
    if text.endswith("db"):
        return number("volume", text[:-2])
    if text.endswith("%"):
        percent = within("volume", _percentage("volume", text) * 100.0, 0.1, 400, "%")
        return 20.0 * math.log10(percent / 100.0)
    raise InputError(
        f"volume {value!r} is unknown; give {', '.join(VOLUMES)}, decibels (+6dB) or a percentage"
    )


def look(attributes: Mapping[str, str]) -> Look:
    """Return a gaze from `yaw` and `pitch` in degrees."""
    if not {"yaw", "pitch"} & set(attributes):
        raise InputError(f"give yaw and pitch in degrees, or at: {', '.join(LOOKS)}")
    yaw = within("yaw", number("yaw", attributes.get("yaw", "0")), -60, 60, "degrees")
    down = within("pitch", number("pitch", attributes.get("pitch", "0")), -40, 40, "degrees")
    return Look(math.radians(yaw), math.radians(down))
