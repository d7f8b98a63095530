"""Values that several commands read from the command line."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import click

from mien.errors import InputError
from mien.face.feeling import Emotion

# Names of the rates that television rounds: 29.97 is 30000/1001.
NTSC = {"23.976": 24, "23.98": 24, "29.97": 30, "59.94": 60, "119.88": 120}


class Size(click.ParamType[tuple[int, int]]):
    """`1280x720` → (1280, 720)."""

    name = "WxH"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Return width and height in pixels."""
        match = re.fullmatch(r"(\d{2,5})[xX×](\d{2,5})", str(value))
        if match is None:
            self.fail(f"{value!r} is not a size; write it as 1280x720", param, ctx)
        width, height = int(match[1]), int(match[2])
        if width % 2 or height % 2 or not (64 <= width <= 4096 and 64 <= height <= 4096):
            self.fail(f"{value}: sides must be even, from 64 to 4096 pixels", param, ctx)
        return width, height


class Fps(click.ParamType[Fraction]):
    """`29.97` → 30000/1001."""

    name = "RATE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Fraction:
        """Return the exact rate."""
        try:
            rate = Fraction(NTSC[value] * 1000, 1001) if value in NTSC else Fraction(str(value))
        except (ValueError, ZeroDivisionError):
            self.fail(f"{value!r} is not a frame rate; for example 25, 29.97 or 30000/1001", param, ctx)
        if not 1 <= rate <= 120:
            self.fail(f"{value}: the frame rate goes from 1 to 120", param, ctx)
        return rate


class Feeling(click.ParamType[Emotion]):
    """`sad:0.4` → Emotion("sad", 0.4)."""

    name = "NAME[:STRENGTH]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Emotion:
        """Return the emotion."""
        name, _, strength = str(value).partition(":")
        try:
            return Emotion(name, float(strength or 1.0))
        except ValueError:
            self.fail(f"{value!r}: the strength is a number from 0 to 1", param, ctx)
        except InputError as error:
            self.fail(str(error), param, ctx)


class Numbers(click.ParamType[dict[str, float]]):
    """`jawOpen=0.6,mouthSmile=0.4` → {"jawOpen": 0.6, "mouthSmile": 0.4}."""

    name = "NAME=NUMBER,..."

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> dict[str, float]:
        """Return the numbers by name."""
        out: dict[str, float] = {}
        for pair in str(value).split(","):
            name, _, number = (word.strip() for word in pair.partition("="))
            try:
                out[name] = float(number)
            except ValueError:
                self.fail(f"{pair!r} is not NAME=NUMBER; for example jawOpen=0.6", param, ctx)
        return out


SIZE, FPS, EMOTION, NUMBERS = Size(), Fps(), Feeling(), Numbers()
