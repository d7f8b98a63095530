"""Tokens → words, with the time at which each was said.

The cross-attention of some heads follows the sound (openai/whisper `timing.py`): a monotonic path through
what they look at gives each token its stretch of it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from mien.speech.listening.events import Word
from mien.speech.listening.whisper.decoding import Decoded
from mien.speech.listening.whisper.model import STATE
from mien.speech.listening.whisper.vocabulary import Vocabulary

Floats = NDArray[np.float32]
Numbers = NDArray[np.int64]

_MEDIAN = 7  # states that the looks are smoothed over: 140 ms
_SPACELESS = frozenset("zh ja th lo my yue".split())  # written without spaces between words


def timed(decoded: Decoded, words: Vocabulary, length: int) -> tuple[Word, ...]:
    """Return the words of a sound of `length` samples (16 kHz), on its clock."""
    groups = grouped(decoded.tokens, words, decoded.language)
    if not groups:
        return ()
    edges = _edges(decoded.looks[:, :, : max(1, -(-length // STATE))]) * STATE
    probabilities = np.exp(decoded.logprobs)
    out, at = [], 0
    for group in groups:
        start, end = int(edges[at]), int(edges[at + len(group)])
        mean = float(probabilities[at : at + len(group)].mean())
        out.append(Word(words.text(group), min(start, length), min(end, length), mean))
        at += len(group)
    return tuple(out)


def grouped(tokens: Sequence[int], words: Vocabulary, language: str) -> list[tuple[int, ...]]:
    """Return the tokens of each word: at spaces, or at whole characters where there are none.

    Signs stay with the word that they stand behind.
    """
    groups: list[list[int]] = []
    for part in _characters(tokens, words):
        piece = words.text(part)
        begins = piece.startswith(" ") or language in _SPACELESS
        if groups and (not begins or _is_sign(piece)):
            groups[-1] += part
        else:
            groups.append(list(part))
    return [tuple(group) for group in groups]


def _characters(tokens: Sequence[int], words: Vocabulary) -> list[list[int]]:
    """Return runs of tokens that make whole characters; the bytes of one may be spread over several."""
    parts: list[list[int]] = []
    half = False
    for token in tokens:
        if half:
            parts[-1].append(token)
        else:
            parts.append([token])
        half = not _is_whole(words.spelt(parts[-1]))
    return parts


def _is_whole(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_sign(piece: str) -> bool:
    return all(unicodedata.category(letter)[0] in "PZ" for letter in piece) and not piece.isspace()


def _edges(looks: Floats) -> Numbers:
    """Return where each token begins, and where the last ends `(n + 1,)`, in states, from `(A, n, T)`."""
    spread = looks.std(axis=1, keepdims=True) + 1e-6
    even = (looks - looks.mean(axis=1, keepdims=True)) / spread
    return _path(_smooth(even).mean(axis=0))


def _smooth(values: Floats) -> Floats:
    padded = np.pad(values, ((0, 0), (0, 0), (_MEDIAN // 2, _MEDIAN // 2)), mode="edge")
    return np.asarray(np.median(sliding_window_view(padded, _MEDIAN, axis=2), axis=3), np.float32)


def _path(score: Floats) -> Numbers:
    """Return the edges of the path through `score (n, T)` that stays or goes on by one token a state."""
    count, length = score.shape
    if count > length:  # more tokens than states: spread them evenly
        return np.linspace(0, length, count + 1).astype(np.int64)
    total = np.full(count, -np.inf, np.float32)
    total[0] = score[0, 0]
    moved = np.zeros((length, count), np.bool_)
    for at in range(1, length):
        before = np.concatenate([[np.float32(-np.inf)], total[:-1]])
        moved[at] = before > total
        total = np.maximum(before, total) + score[:, at]
    edges = np.zeros(count + 1, np.int64)
    edges[count], token = length, count - 1
    for at in range(length - 1, 0, -1):
        if moved[at, token]:
            edges[token] = at
            token -= 1
    return edges
