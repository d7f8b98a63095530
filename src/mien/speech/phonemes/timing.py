"""Model symbols with durations → phones on the utterance clock.

One set of tables reads both voices' symbols: Piper's code points of IPA and Kokoro's letters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mien.face.phone import SILENCE, Phone
from mien.speech.phonemes.symbols import DIPHTHONGS_AND_AFFRICATES, LETTERS, LONG, SINGLE, STRESS, TONES

PAD = "_"  # a model's blank: it has a duration and no sound of its own
SHORT_GAP_S = 0.06  # up to this long a gap between two words is no pause: the mouth goes on

_SILENT = frozenset("^$ .,!?:;…—-\"'()“”")


@dataclass(frozen=True, slots=True)
class _Span:
    symbol: str
    start: int
    end: int


def phones(symbols: Sequence[str], durations: Sequence[int], rate_hz: int) -> tuple[Phone, ...]:
    """Return the phones of `symbols`, symbol `i` lasting `durations[i]` samples at `rate_hz`.

    They cover 0 to the sum of the durations without gap. A `PAD` goes to the symbol after it; length, tone
    and diacritics go to the phoneme before them, stress to the one after; affricates and diphthongs
    are one phone; spaces and punctuation longer than `SHORT_GAP_S` are silence. A phone of no length
    is left out.
    """
    spans = _without_pads(symbols, durations)
    joined = list(_join(spans))
    closed = _close_gaps(joined, round(SHORT_GAP_S * rate_hz))
    return tuple(phone for phone in closed if phone.end > phone.start)


def _without_pads(symbols: Sequence[str], durations: Sequence[int]) -> list[_Span]:
    """Return the spans of all symbols but pads; a symbol starts where the pad before it does.

    Measured on Piper's sound: closures of p and b and the noise of s begin and end where this says, to
    10 ms at the median; with the pad at the phoneme before it, they come 50 to 70 ms too late.
    """
    spans: list[_Span] = []
    start = at = 0
    for symbol, duration in zip(symbols, durations, strict=True):
        at += int(duration)
        if symbol != PAD:
            spans.append(_Span(symbol, start, at))
            start = at
    if spans:
        spans[-1] = replace(spans[-1], end=at)
    return spans


def _join(spans: Sequence[_Span]) -> Iterator[Phone]:
    """Yield one phone for each phoneme and one for each run of silent symbols."""
    held: Phone | None = None
    stress, start = 0, None
    closed = False  # a mark or stress came after `held`: the next symbol begins a new phoneme
    for span in spans:
        if span.symbol in STRESS:
            stress, start, closed = STRESS[span.symbol], span.start if start is None else start, True
            continue
        symbol = _symbol(span.symbol)
        if symbol is None and held is not None:
            held, closed = _mark(held, span), True
            continue
        pair = None if held is None or closed else _pair(held.symbol, symbol)
        if held is not None and pair is not None:
            held = replace(held, symbol=pair, end=span.end)
            continue
        if held is not None:
            yield held if start is None else replace(held, end=start)
        held = Phone(symbol or SILENCE, span.start if start is None else start, span.end, stress)
        stress, start, closed = 0, None, False
    if held is not None:
        yield replace(held, end=spans[-1].end)


def _symbol(symbol: str) -> str | None:
    """Return the phoneme, `""` for a silent symbol, None for a mark on the phoneme before."""
    if symbol in _SILENT:
        return SILENCE
    return LETTERS.get(symbol, symbol if symbol in SINGLE else None)


def _pair(held: str, symbol: str | None) -> str | None:
    """Return the one phoneme that the two are, or None."""
    if held == symbol == SILENCE:
        return SILENCE
    return DIPHTHONGS_AND_AFFRICATES.get((held, symbol or ""))


def _mark(phone: Phone, span: _Span) -> Phone:
    long = (
        LONG if span.symbol == LONG and phone.symbol not in (SILENCE,) and phone.symbol[-1:] != LONG else ""
    )
    stress = 2 if span.symbol in TONES else phone.stress
    return Phone(phone.symbol + long, phone.start, span.end, stress)


def _close_gaps(phones: Sequence[Phone], longest: int) -> list[Phone]:
    """Return the phones with every short silence between two of them shared by both."""
    out: list[Phone] = []
    for i, phone in enumerate(phones):
        inner = 0 < i < len(phones) - 1
        if phone.symbol == SILENCE and inner and phone.end - phone.start <= longest:
            middle = (phone.start + phone.end) // 2
            out[-1] = replace(out[-1], end=middle)
            continue
        start = out[-1].end if out else phone.start
        out.append(replace(phone, start=start))
    return out
