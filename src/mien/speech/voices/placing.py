"""Aligned phones, set right by what the recording's own loudness says: pauses, closures, order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mien.audio.features import FRAME_HZ
from mien.face.phone import SILENCE, Phone
from mien.speech.voices.pauses import Span

Level = NDArray[np.float32]

SHORTEST = 2  # frames of 5 ms that every phone keeps
SNAP = round(0.08 * FRAME_HZ)  # the first and the last phone of a stretch reach to a pause this near
SEARCH = round(0.03 * FRAME_HZ)  # how far a closure may be from where the alignment put it
CLOSED = frozenset("pb")


def place(phones: Sequence[Phone], silent: Sequence[Span], level: Level) -> list[Phone]:
    """Return phones that cover the recording without gap; all times in frames of 5 ms.

    `silent`: its pauses; every phone is moved into the stretch of speech where its middle is, and what no
    phone claims is silence. `level` (T,) in dB: p and b are moved to the dip that their closure makes.
    """
    spoken = [phone for phone in phones if phone.symbol != SILENCE]
    stretches = _stretches(silent, len(level))
    out: list[Phone] = []
    for stretch, inside in zip(stretches, _assign(spoken, stretches), strict=True):
        if inside:
            out += _snap(_fit(inside, stretch), level)
    return _with_silence(out, len(level))


def _stretches(silent: Sequence[Span], total: int) -> list[Span]:
    """Return what lies between the pauses."""
    edges = [0, *(edge for span in silent for edge in span), total]
    spans = [(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True) if end > start]
    return spans or [(0, total)]


def _assign(phones: Sequence[Phone], stretches: Sequence[Span]) -> list[list[Phone]]:
    """Return the phones of each stretch, by their middles; order is kept, room is minded."""
    inside: list[list[Phone]] = [[] for _ in stretches]
    at = 0
    for phone in phones:
        middle = (phone.start + phone.end) / 2
        while at + 1 < len(stretches) and middle > (stretches[at][1] + stretches[at + 1][0]) / 2:
            at += 1
        inside[at].append(phone)
    return inside


def _fit(phones: Sequence[Phone], stretch: Span) -> list[Phone]:
    """Return the phones side by side inside `stretch`, none shorter than `SHORTEST` if there is room."""
    start, end = stretch
    first, last = max(start, phones[0].start), min(end, phones[-1].end)
    lacking = max(0, SHORTEST * len(phones) - (last - first))
    first, last = first - lacking // 2, last + lacking - lacking // 2
    start = start if first - start <= SNAP else first
    end = end if end - last <= SNAP else last
    inner = [(a.end + b.start) // 2 for a, b in pairwise(phones)]
    bounds = _spread(np.array([start, *inner, end]), start, max(end, start + 1))
    return [
        replace(phone, start=int(a), end=int(b))
        for phone, (a, b) in zip(phones, pairwise(bounds), strict=True)
    ]


def _spread(bounds: NDArray[np.int64], start: int, end: int) -> NDArray[np.int64]:
    """Return rising bounds from `start` to `end` with `SHORTEST` between them, or evenly spread ones."""
    count = len(bounds) - 1
    if end - start < SHORTEST * count:
        return np.rint(np.linspace(start, end, count + 1)).astype(np.int64)
    steps = SHORTEST * np.arange(count + 1)
    rising = np.maximum.accumulate(np.clip(bounds, start, end) - steps) + steps
    latest = end - steps[::-1]
    return np.asarray(np.minimum(rising, latest), np.int64)


def _snap(phones: list[Phone], level: Level) -> list[Phone]:
    """Return the phones with each inner p and b at the dip of its closure."""
    for i in range(1, len(phones) - 1):
        if phones[i].symbol.rstrip("ː") in CLOSED:
            low, high = _dip(level, phones[i])
            low = max(low, phones[i - 1].start + SHORTEST)
            high = min(max(high, low + SHORTEST), phones[i + 1].end - SHORTEST)
            if high - low >= SHORTEST:
                phones[i - 1] = replace(phones[i - 1], end=low)
                phones[i] = replace(phones[i], start=low, end=high)
                phones[i + 1] = replace(phones[i + 1], start=high)
    return phones


def _dip(level: Level, phone: Phone) -> Span:
    """Return where the level is nearer to its minimum around the phone than to the vowels beside it."""
    low, high = max(0, phone.start - 2 * SEARCH), min(len(level), phone.end + 2 * SEARCH)
    around = level[low:high]
    inner = max(0, phone.start - SEARCH) - low
    bottom = inner + int(np.argmin(around[inner : phone.end + SEARCH - low]))
    left, right = float(around[: bottom + 1].max()), float(around[bottom:].max())
    half = (float(around[bottom]) + min(left, right)) / 2
    if min(left, right) - float(around[bottom]) < 6.0:
        return phone.start, phone.end
    loud = around > half
    before = np.flatnonzero(loud[:bottom])
    after = np.flatnonzero(loud[bottom:])
    start = low + int(before[-1]) + 1 if len(before) else phone.start
    end = low + bottom + int(after[0]) if len(after) else phone.end
    return start, max(end, start + SHORTEST)


def _with_silence(phones: Sequence[Phone], total: int) -> list[Phone]:
    out: list[Phone] = []
    at = 0
    for phone in phones:
        if phone.start > at:
            out.append(Phone(SILENCE, at, phone.start))
        if phone.end > max(at, phone.start):
            out.append(replace(phone, start=max(at, phone.start)))
            at = phone.end
    if at < total:
        out.append(Phone(SILENCE, at, total))
    return out
