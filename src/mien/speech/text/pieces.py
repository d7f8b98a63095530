"""Drafts → breaths: lexicon, languages, normalised words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from mien.speech.breath import Breath, Piece
from mien.speech.text import scripts
from mien.speech.text.lexicon import Entry, Lexicon
from mien.speech.text.normalise import normalise
from mien.speech.text.segment import Draft
from mien.speech.text.tokens import UNSPACED, Token

_GAP_BEFORE_SIGN = re.compile(r"\s+(?=[,.;:!?…，。！？；：、)\]}”’»）》」』】])")
_JOINERS = re.compile("(?<!\\w)[\u200c\u200d]+|[\u200c\u200d]+(?!\\w)")
_UNSPACED_GAP = re.compile(f"(?<={UNSPACED.pattern}) +(?={UNSPACED.pattern})")


def realise(draft: Draft, lexicon: Lexicon) -> Breath | None:
    """Return the breath as it is spoken, or None when no word of it is left."""
    pieces = tuple(_merge(_pieces(draft.tokens, lexicon)))
    if draft.tokens and not any(_heard(piece) for piece in pieces):
        return None
    style = draft.style
    return Breath(pieces, draft.pause_s, style.prosody, style.emotion, style.look, style.voice)


def _heard(piece: Piece) -> bool:
    return piece.phonemes is not None or any(map(str.isalnum, piece.text))


def _pieces(tokens: Iterable[Token], lexicon: Lexicon) -> Iterator[Piece]:
    for (style, phonemes, final, _), group in groupby(_numbered(tokens), key=lambda pair: pair[0]):
        run = [token for _, token in group]
        mark = run[0].mark
        text = "".join(" " * token.space + token.text for token in run).strip()
        base = Piece(text, style.language, phonemes, style.emphasis, None)
        parts = [base] if final or phonemes is not None else list(_spoken(text, base, lexicon))
        for i, piece in enumerate(parts or [base]):
            yield replace(piece, mark=mark if i == 0 else None)


def _numbered(tokens: Iterable[Token]) -> Iterator[tuple[tuple[object, ...], Token]]:
    """Pair tokens with what keeps them apart: style, phonemes, finality, and a mark's own place."""
    place = 0
    for i, token in enumerate(tokens):
        if token.mark is not None or token.phonemes is not None or token.final:
            place = i
        yield (token.style, token.phonemes, token.final, place), token


def _spoken(text: str, base: Piece, lexicon: Lexicon) -> Iterator[Piece]:
    for part in lexicon.split(_JOINERS.sub("", text)):
        if isinstance(part, Entry) and part.phonemes is not None:
            (_, language), *_ = [*scripts.split(part.text, base.language)]
            yield replace(base, text=part.text, language=language, phonemes=part.phonemes)
            continue
        for run, language in scripts.split(part.text if isinstance(part, Entry) else part, base.language):
            yield replace(base, text=normalise(run, language), language=language)


def _merge(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Join neighbours of one kind; bare punctuation goes to the piece before it."""
    last: Piece | None = None
    for piece in pieces:
        piece = replace(piece, text=_tidy(piece.text))
        if last is None:
            last = piece
        elif (not _heard(piece) and piece.mark is None) or _alike(last, piece):
            last = replace(last, text=_tidy(f"{last.text} {piece.text}"))
        else:
            yield last
            last = piece
    if last is not None:
        yield last


def _alike(last: Piece, piece: Piece) -> bool:
    bare = (None, None, last.language, last.emphasis)
    return (piece.phonemes, piece.mark, piece.language, piece.emphasis) == bare and last.phonemes is None


def _tidy(text: str) -> str:
    text = _GAP_BEFORE_SIGN.sub("", " ".join(text.split()))
    return _UNSPACED_GAP.sub("", text)
