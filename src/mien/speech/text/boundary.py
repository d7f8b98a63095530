"""What lies between two tokens: nothing that may be parted, a mere space, a clause, a sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mien.speech.text.tokens import CLOSERS, LONGEST, OPENERS, UNSPACED, Token

COMMA_S, ENUMERATION_S, DASH_S, COLON_S = 0.18, 0.15, 0.2, 0.3
SENTENCE_S, ELLIPSIS_S, PARAGRAPH_S = 0.45, 0.5, 0.8
CONJUNCTION_S = 0.08

# After these a full stop never ends a sentence.
_TITLES = frozenset(
    "mr mrs ms dr prof rev hon gen col capt lt sgt sen rep gov pres st mt ft e.g i.e vs v cf fig figs no nos "
    "vol p pp ch sec approx ca al jan feb mar apr jun jul aug sep sept oct nov dec "
    "bzw z.b d.h u.a evtl ca nr str mme mlle m sr sra srta dott sig".split()
)
# After these it does when a capital follows.
_EITHER = frozenset(
    "etc inc ltd co corp jr sr bros dept est ave blvd rd ln dr st hwy a.m p.m b.c a.d u.s u.k u.n e.u u.s.a "
    "d.c ph.d usw m.d b.a m.a".split()
)
_ADDRESS = frozenset("st dr mt ft".split())
_INITIAL = re.compile(r"[A-ZÀ-Ý]\Z")
_ACRONYM = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]\Z")
_ORDINAL_DOT = frozenset(
    {"de", "da", "fi", "nb", "no", "cs", "hu", "pl", "et", "lv", "sk", "sl", "hr", "tr", "is"}
)
_NUMBER = re.compile(r"[\d.,:/()+–-]*\d[\d.,:/()+–-]*%?\Z")

CONJUNCTIONS = frozenset(
    "and or but because so which that who where when while if although though since unless until before "
    "after with for from into through about between than as to in on at by of "
    "und oder aber weil dass et ou mais parce que y o pero porque e ma perché".split()
)
CONJUNCTIONS_ZH = frozenset("和与或但而并且因所如以及就也还却则再才又在为从对把被让给跟")


@dataclass(frozen=True, slots=True)
class Boundary:
    """`rank`: 0 can not be parted, 1 space, 2 comma, 3 semicolon, colon or dash, 4 sentence.

    `pause_s`: the silence it asks for when a breath ends there.
    """

    rank: int
    pause_s: float = 0.0


NONE, SPACE = Boundary(0), Boundary(1)


def boundary(last: Token, this: Token) -> Boundary:
    """Return what lies between two tokens that follow each other."""
    if len(last.text) >= LONGEST and not this.space:
        return SPACE
    if not this.space and not _unspaced_side(last, this):
        return NONE if not this.final and this.phonemes is None else SPACE
    tail = last.text.rstrip("".join(CLOSERS))[-3:]
    end = tail[-1:]
    if end == "." and not tail.endswith(".."):
        return _full_stop(last, this)
    if end in "!?。！？":
        return Boundary(4, SENTENCE_S)
    if tail.endswith("..") or end == "…":
        return Boundary(4 if starts_sentence(this) else 3, ELLIPSIS_S)
    return _clause(end, last, this)


def tail_pause(last: Token) -> float:
    """Return the pause that the punctuation at the end of a token asks for, seconds."""
    return boundary(last, Token("A", last.style, space=True)).pause_s


def starts_sentence(token: Token) -> bool:
    """Whether a token can begin a sentence: a capital, a digit, or a script without capitals."""
    text = token.text.lstrip("".join(OPENERS | CLOSERS) + "¿¡")
    return not text[:1].islower()


def _clause(end: str, last: Token, this: Token) -> Boundary:
    if end and end in ",，、،" and _digit(last) and this.text[:1].isdigit():
        return NONE
    if end and end in ",，،":
        return Boundary(2, COMMA_S)
    if end == "、":
        return Boundary(2, ENUMERATION_S)
    if end and end in ";；:：":
        return Boundary(3, COLON_S)
    if end and end in "—–" and not _digit(last):
        return Boundary(3, DASH_S)
    return NONE if _inseparable(last, this) else SPACE


def _full_stop(last: Token, this: Token) -> Boundary:
    core = last.text.strip("".join(OPENERS | CLOSERS)).rstrip(".")
    word = core.lower()
    if core.isdigit() and last.style.language[:2] in _ORDINAL_DOT and len(core) <= 2:
        return NONE
    if (word in _EITHER and word not in _ADDRESS) or _ACRONYM.search(core):
        return Boundary(4, SENTENCE_S) if starts_sentence(this) and not this.text[0].isdigit() else NONE
    if word in _TITLES or _INITIAL.match(core):
        return NONE
    return Boundary(4, SENTENCE_S)


def _inseparable(last: Token, this: Token) -> bool:
    """A number stays with what it counts and with its other groups."""
    if UNSPACED.search(last.text[-1:]):
        return bool(this.text[:1].isdigit() and _digit(last))
    return bool(_NUMBER.match(last.text) or (_NUMBER.match(this.text) and last.text[-1:] in "+-#$€£¥)"))


def _digit(token: Token) -> bool:
    return token.text.rstrip(",，、–—")[-1:].isdigit()


def _unspaced_side(last: Token, this: Token) -> bool:
    """Without a space between them, tokens part only at scripts without spaces and after dashes."""
    joined = last.text.rstrip("".join(CLOSERS) + ",.;:!?，。！？；：、…—")[-1:] + this.text[:1]
    return UNSPACED.search(joined) is not None or last.text[-1:] in "，。！？；：、…—"
