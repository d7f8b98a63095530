"""Tokens → breaths: the first one short so that sound starts early, the later ones comfortable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass, replace

from mien.speech.text.boundary import (
    CONJUNCTION_S,
    CONJUNCTIONS,
    CONJUNCTIONS_ZH,
    NONE,
    PARAGRAPH_S,
    SENTENCE_S,
    Boundary,
    boundary,
    tail_pause,
)
from mien.speech.text.items import Style
from mien.speech.text.tokens import CLOSERS, LONGEST, OPENERS, UNSPACED, Token

_PROTECTED_WORDS = 12
# A breath ends at a comma only when more than this follows it in the sentence.
_TAIL_WORDS = 2.4
_TERMINAL = frozenset(".!?…。！？:：;；")
_CLOSING = "".join(CLOSERS)
_KINDS = {"sentence": SENTENCE_S, "paragraph": PARAGRAPH_S}


@dataclass(frozen=True, slots=True)
class Size:
    """Lengths of a breath in words: clauses end it from `comma` and `colon` on; past `soft` a
    conjunction does, past `hard` a space.
    """

    comma: float
    colon: float
    soft: float
    hard: float


FIRST = Size(comma=2.9, colon=1.0, soft=8.0, hard=12.0)
LATER = Size(comma=7.0, colon=3.5, soft=16.0, hard=22.0)
_TAKES = 0.7  # of a breath's length, that a slow voice takes to make it
_WORDS_PER_S, _MOST_AHEAD = 2.8, 16.0
_WHOLE = 6.0  # words that stay together
_KEPT_S = 0.25  # at the end of a breath, whose face depends on how the next one begins


def within(ahead: float) -> Size:
    """Return the size of a breath that a slow voice makes while `ahead` words are heard."""
    share = min(1.0, ahead / _TAKES / LATER.hard)
    comma, colon, soft, hard = (share * length for length in astuple(LATER))
    if share == 1.0:
        return LATER
    return Size(min(comma, 2.0), min(colon, 1.0), max(soft, _WHOLE), max(hard, _WHOLE))


@dataclass(frozen=True, slots=True)
class Draft:
    """A breath before its words are normalised; no tokens: a pause only."""

    tokens: tuple[Token, ...]
    pause_s: float
    style: Style


class Segmenter:
    """Collects tokens into drafts; the last draft is held until something follows it.

    `grows`: breaths are as long as a slow voice can make them while those before are heard.
    """

    def __init__(self, *, grows: bool = False) -> None:
        self._grows, self._ahead = grows, 0.0
        self._parts: list[tuple[Boundary, Token]] = []
        self._lead: list[Token] = []
        self._words = 0.0
        self._held: Draft | None = None
        self._break_s = 0.0
        self._marks: list[str] = []
        self._size = FIRST
        self._quotes = 0
        self._quoted = 0.0
        self._tied = False
        self._comma = 0
        self._comma_words = 0.0

    def push(self, token: Token) -> Iterator[Draft]:
        """Yield the draft that this token shows to be whole, if any."""
        if not token.speakable:
            self._attach(token)
            return
        here = self._decide(token) if self._parts else NONE
        yield from self._release()
        self._append(here, token)

    def pause(self, pause_s: float) -> None:
        """End the breath and add silence, seconds; 0 forbids the next boundary instead."""
        if pause_s == 0.0:
            self._tied = True
            return
        self._close(tail_pause(self._parts[-1][1]) if self._parts else 0.0)
        self._break_s += pause_s

    def mark(self, name: str) -> None:
        """Put a mark before the next token."""
        self._marks.append(name)

    def end(self, kind: str) -> None:
        """End a clause, sentence or paragraph whatever its punctuation."""
        if kind == "clause":
            self._punctuate(",", "，")
            return
        if self._parts:
            self._punctuate(".", "。")
            self._close(max(_KINDS[kind], tail_pause(self._parts[-1][1])))
        elif self._held is not None:
            self._held = replace(self._held, pause_s=max(self._held.pause_s, _KINDS[kind]))

    def finish(self) -> Iterator[Draft]:
        """Yield what is left; the last breath has no pause but that of explicit breaks."""
        self._close(0.0)
        held, self._held = self._held, None
        if held is not None:
            marks = tuple(Token("", held.style, mark=name, final=True) for name in self._marks)
            yield replace(held, tokens=held.tokens + marks, pause_s=self._break_s)

    def _release(self) -> Iterator[Draft]:
        if self._held is not None:
            rate = self._held.style.prosody.rate
            yield replace(self._held, pause_s=round(self._held.pause_s / rate + self._break_s, 4))
        elif self._break_s:
            yield Draft((), self._break_s, Style())
        self._held, self._break_s = None, 0.0

    def _attach(self, token: Token) -> None:
        """Put punctuation that stands alone to the word before it, or else to the one after it."""
        last = self._parts[-1][1] if self._parts else None
        ended = last is not None and token.space and boundary(last, token).rank == 4
        if last is None or ended:
            self._lead = [*self._lead[-3:], token]
        elif len(last.text) < LONGEST:
            self._parts[-1] = (self._parts[-1][0], last.with_text(last.text + " " * token.space + token.text))
            self._quote(token)

    def _append(self, here: Boundary, token: Token) -> None:
        before = [Token("", token.style, mark=name, final=True) for name in self._marks[:-1]]
        self._parts += [(NONE, other) for other in (*self._lead, *before)]
        if self._marks:
            token = replace(token, mark=self._marks[-1])
        self._marks, self._lead = [], []
        self._parts.append((here, token))
        self._words += token.words
        self._quote(token)

    def _quote(self, token: Token) -> None:
        text = token.text
        self._quotes += sum(c in OPENERS for c in text) - sum(c in CLOSERS and c not in "\"'’" for c in text)
        self._quotes += (text[:1] == '"') - (len(text) > 1 and '"' in text[1:])
        self._quotes = max(0, self._quotes)
        self._quoted = self._quoted + token.words if self._quotes else 0.0
        if self._quoted > _PROTECTED_WORDS:
            self._quotes, self._quoted = 0, 0.0

    def _decide(self, token: Token) -> Boundary:
        """Return the boundary before `token`; close the draft there or earlier where it should end."""
        last = self._parts[-1][1]
        here = NONE if self._tied else boundary(last, token)
        self._tied = False
        ends = self._ends(here)
        if not last.style.same_breath(token.style) or (ends and here.rank > 2):
            self._close(here.pause_s)
        elif self._comma and self._words - self._comma_words + token.words >= _TAIL_WORDS:
            self._cut(self._comma)
        elif here.rank and self._words + token.words > self._size.soft and _conjunction(token):
            if self._comma:
                self._cut(self._comma)
            else:
                self._close(here.pause_s or CONJUNCTION_S)
        elif self._words + token.words > self._size.hard:
            self._split(here, token)
        if ends and self._parts and not self._comma:
            self._comma, self._comma_words = len(self._parts), self._words
        return here

    def _ends(self, here: Boundary) -> bool:
        if self._quotes:
            return False
        least = {4: 0.0, 3: self._size.colon, 2: self._size.comma}.get(here.rank)
        return least is not None and self._words >= least

    def _split(self, here: Boundary, token: Token) -> None:
        """Close at the best place so far past a third of the breath, if there is one."""
        parts = [*self._parts, (here, token)]
        places = [i for i in range(len(parts) // 3 + 1, len(parts)) if parts[i][0].rank]
        if not places and self._words < 2 * self._size.hard:
            return
        best = max(places or [len(parts) - 1], key=lambda i: (_value(*parts[i]), i))
        if best < len(self._parts):
            self._cut(best)
        else:
            self._close(here.pause_s or (CONJUNCTION_S if _conjunction(token) else 0.0))

    def _cut(self, place: int) -> None:
        """Close the draft before part `place`; what comes after begins the next."""
        here, token = self._parts[place]
        rest = self._parts[place:]
        self._parts = self._parts[:place]
        self._close(here.pause_s or (CONJUNCTION_S if _conjunction(token) else 0.0))
        self._parts, self._words = rest, sum(t.words for _, t in rest)

    def _punctuate(self, spaced: str, unspaced: str) -> None:
        if not self._parts:
            return
        here, last = self._parts[-1]
        bare = last.text.rstrip(_CLOSING)
        if bare[-1:] not in _TERMINAL and not last.final:
            sign = unspaced if UNSPACED.search(last.text) else spaced
            self._parts[-1] = (here, last.with_text(last.text.rstrip(",，、") + sign))

    def _close(self, pause_s: float) -> None:
        if self._parts:
            tokens = tuple(token for _, token in self._parts)
            self._held = Draft(tokens, pause_s, tokens[-1].style)
            self._size = self._next(sum(token.words for token in tokens), pause_s) if self._grows else LATER
            self._parts, self._words, self._comma = [], 0.0, 0

    def _next(self, words: float, pause_s: float) -> Size:
        """Return the size behind a breath, which was heard at once if it was the first."""
        gained = (1.0 - _TAKES) * words if self._ahead else words - _WORDS_PER_S * _KEPT_S
        self._ahead = min(_MOST_AHEAD, self._ahead + gained + _WORDS_PER_S * pause_s)
        return within(self._ahead)


def _value(here: Boundary, token: Token) -> float:
    return here.rank + 0.5 * _conjunction(token)


def _conjunction(token: Token) -> bool:
    text = token.text.lower().strip("".join(OPENERS))
    return text in CONJUNCTIONS or text[:1] in CONJUNCTIONS_ZH
