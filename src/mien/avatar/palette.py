"""Colours of people by name: skin, hair, eyes. Linear albedo."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from mien.avatar.build.person import Color
from mien.errors import InputError, nearest

# Skin tones lie on the curve of the ten presets; hair and eyes were chosen by eye on them.
COLORS: Mapping[str, Mapping[str, Color]] = {
    "skin": {
        "porcelain": (0.70, 0.47, 0.39),
        "fair": (0.64, 0.41, 0.32),
        "light": (0.60, 0.37, 0.27),
        "medium": (0.52, 0.31, 0.215),
        "olive": (0.44, 0.275, 0.18),
        "tan": (0.36, 0.205, 0.13),
        "brown": (0.25, 0.13, 0.08),
        "dark": (0.165, 0.08, 0.046),
        "deep": (0.11, 0.055, 0.034),
    },
    "hair": {
        "black": (0.010, 0.008, 0.008),
        "dark": (0.028, 0.017, 0.011),
        "brown": (0.055, 0.030, 0.018),
        "chestnut": (0.085, 0.040, 0.022),
        "auburn": (0.120, 0.040, 0.020),
        "red": (0.220, 0.065, 0.025),
        "blond": (0.300, 0.190, 0.090),
        "platinum": (0.520, 0.430, 0.310),
        "grey": (0.240, 0.235, 0.230),
        "white": (0.520, 0.510, 0.490),
    },
    "cloth": {
        "white": (0.78, 0.76, 0.72),
        "stone": (0.36, 0.33, 0.28),
        "grey": (0.12, 0.12, 0.125),
        "black": (0.014, 0.014, 0.016),
        "navy": (0.020, 0.034, 0.060),
        "blue": (0.060, 0.130, 0.290),
        "green": (0.040, 0.110, 0.070),
        "wine": (0.110, 0.018, 0.030),
        "rust": (0.280, 0.085, 0.030),
        "mustard": (0.420, 0.250, 0.045),
    },
    "eyes": {
        "black": (0.035, 0.020, 0.013),
        "brown": (0.085, 0.042, 0.018),
        "hazel": (0.120, 0.085, 0.030),
        "amber": (0.190, 0.105, 0.025),
        "green": (0.095, 0.140, 0.070),
        "blue": (0.090, 0.150, 0.230),
        "grey": (0.140, 0.160, 0.175),
    },
}
_ANCESTRAL: Mapping[str, Color] = {
    "african": (0.145, 0.072, 0.042),
    "asian": (0.56, 0.35, 0.245),
    "caucasian": (0.61, 0.38, 0.29),
}
_LIPS = np.array([0.74, 0.47, 0.55])  # of the skin's albedo


def find(kind: str, name: str) -> Color:
    """Return a colour by its name or as `#rrggbb` (sRGB); raises `InputError`."""
    if name.startswith("#"):
        return parse(name)
    if name not in COLORS[kind]:
        raise InputError(f"no {kind} colour {name!r}{nearest(name, COLORS[kind])} or #rrggbb")
    return COLORS[kind][name]


def parse(text: str) -> Color:
    """Return `#rrggbb` as linear albedo; raises `InputError`."""
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", text):
        raise InputError(f"{text!r} is no colour; write it as #rrggbb, for example #8d5524")
    srgb = np.frombuffer(bytes.fromhex(text[1:]), np.uint8) / 255
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    red, green, blue = (float(value) for value in linear.round(4))
    return red, green, blue


def to_hex(color: Color) -> str:
    """Return linear albedo as `#rrggbb` (sRGB); the inverse of `parse`."""
    linear = np.clip(np.array(color), 0, 1)
    srgb = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return "#" + bytes(np.round(srgb * 255).astype(np.uint8)).hex()


def skin_of(ancestry: Mapping[str, float]) -> Color:
    """Return the skin of mixed ancestry (shares of a sum of one): melanin mixes, so the logarithms do."""
    logs = sum(share * np.log(np.array(_ANCESTRAL[name])) for name, share in ancestry.items())
    red, green, blue = (float(value) for value in np.exp(logs).round(4))
    return red, green, blue


def lips_of(skin: Color, colored: float) -> Color:
    """Return the lips of a skin; `colored` in [0, 1]: how much they stand out."""
    mix = 1 - colored + colored * _LIPS
    red, green, blue = (float(value) for value in (np.array(skin) * mix).round(4))
    return red, green, blue


def iris(name: str) -> tuple[Color, Color]:
    """Return the inner and the outer colour of an iris."""
    outer = find("eyes", name)
    red, green, blue = (round(value * 0.5, 4) for value in outer)
    return (red, green, blue), outer
