"""Picture rates as exact fractions."""

from __future__ import annotations

from fractions import Fraction

from mien.errors import InputError

_NTSC = 1001
MAX_FPS = 240


def exact_rate(fps: Fraction | float) -> Fraction:
    """Return `fps` as the fraction that is meant: 29.97 → 30000/1001, 25.0 → 25.

    Raises `InputError` outside (0, 240].
    """
    if not 0 < fps <= MAX_FPS:
        raise InputError(f"{fps} pictures a second is not possible; valid: above 0, up to {MAX_FPS}")
    if isinstance(fps, Fraction):
        return max(fps.limit_denominator(_NTSC), Fraction(1, _NTSC))  # what containers and codecs can hold
    ntsc = Fraction(round(fps) * 1000, _NTSC)
    if fps != round(fps) and abs(fps - ntsc) < 0.005:
        return ntsc
    return Fraction(fps).limit_denominator(_NTSC)
