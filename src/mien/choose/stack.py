"""From constraints to stacks: what can not be is left out with its reasons, the rest is ranked by figures."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from mien.choose.constraints import Constraints
from mien.choose.figures import Figure, Figures
from mien.choose.filters import reasons
from mien.choose.options import KINDS, Option, options

PAUSE_MS: Final = 110.0  # of silence until it is noticed (docs/benchmarks.md, "Talking")
ROOM: Final = 0.9  # of the cores that sessions may keep busy
# What each part adds to an answer, in the order in which it adds.
_ADDS: Final = {"recogniser": "words_ms", "mind": "answer_ms", "voice": "first_sound_ms"}


@dataclass(frozen=True, slots=True)
class Stack:
    """One option of each kind. `answer_ms`: from the last word to the answer's first sound, at the median,
    None when it is not known; `basis`: how it was found; `own`: on the user's machine. `sessions`: how many
    its cores bear. `against`: why it does not hold the constraints as a whole.
    """

    parts: tuple[Option, ...]
    answer_ms: float | None
    basis: str
    own: bool
    sessions: int
    figures: tuple[tuple[str, Figure], ...]
    unknown: tuple[str, ...]
    against: tuple[str, ...]

    @property
    def names(self) -> str:
        """The names of its parts."""
        return " + ".join(part.name for part in self.parts)


@dataclass(slots=True)
class Choice:
    """Stacks that hold, best first; those that do not, as a whole; options that can not be, with reasons."""

    stacks: list[Stack] = field(default_factory=list)
    failing: list[Stack] = field(default_factory=list)
    excluded: list[tuple[Option, list[str]]] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)
    whole: Figure | None = None


def choose(wanted: Constraints, figures: Figures, known: Sequence[Option] | None = None) -> Choice:
    """Return what can be taken, best first: those whose latency is known, the fastest first."""
    found = Choice(whole=figures.whole() if wanted.use == "talk" else None)
    left: dict[str, list[Option]] = {}
    for option in options() if known is None else known:
        if wanted.use not in option.uses:
            continue
        if why := reasons(option, wanted):
            found.excluded.append((option, why))
        else:
            left.setdefault(option.kind, []).append(option)
    kinds = [kind for kind in KINDS if wanted.use == "talk" or kind in ("voice", "renderer")]
    found.empty = [kind for kind in kinds if kind not in left]
    if found.empty:
        return found
    for parts in itertools.product(*(left[kind] for kind in kinds)):
        stack = _stack(parts, wanted, figures)
        (found.failing if stack.against else found.stacks).append(stack)
    for stacks in (found.stacks, found.failing):
        stacks.sort(key=_rank)
    return found


def _rank(stack: Stack) -> tuple[bool, bool, float, int]:
    """What is known goes first, and of that what the user's machine showed; then the fastest."""
    return stack.answer_ms is None, not stack.own, stack.answer_ms or 0.0, -stack.sessions


def _stack(parts: Sequence[Option], wanted: Constraints, figures: Figures) -> Stack:
    unknown = [f"{part.title}: {word}" for part in parts for word in part.unknown]
    answer, basis, own = None, "", False
    if wanted.use == "talk":
        answer, basis, own = _answer({part.kind: part for part in parts}, figures, unknown)
    busy = sum(part.cores for part in parts)
    sessions = int(ROOM * wanted.cores / busy) if busy else wanted.sessions
    against = _against(parts, wanted, answer, sessions)
    return Stack(tuple(parts), answer, basis, own, sessions, _known(parts, figures), tuple(unknown), against)


def _known(parts: Sequence[Option], figures: Figures) -> tuple[tuple[str, Figure], ...]:
    names = [(part, name) for part in parts for name in dict.fromkeys([*part.measured, *part.bench])]
    found = [(f"{part.title}: {name}", figures.of(part, name)) for part, name in names]
    return tuple((name, figure) for name, figure in found if figure is not None)


def _answer(parts: dict[str, Option], figures: Figures, unknown: list[str]) -> tuple[float | None, str, bool]:
    """Return what an answer takes: in a whole conversation, where that was measured, or in parts."""
    talked = figures.of(parts["voice"], "conversation_ms")
    if "files" in parts["mind"].knowledge and talked is not None:
        more = figures.of(parts["recogniser"], "more_ms")
        longer = more.value if more is not None else 0.0
        return talked.value + longer, f"whole conversations: {talked.whence}", talked.own
    total: float | None = PAUSE_MS
    for kind, name in _ADDS.items():
        figure = figures.of(parts[kind], name)
        if figure is None:
            unknown.append(
                f"{parts[kind].title}: what it adds to an answer; measure it before you rely on it"
            )
        total = None if total is None or figure is None else total + figure.value
    return total, "the sum of its parts' medians; nothing is spoken ahead", False


def _against(
    parts: Sequence[Option], wanted: Constraints, answer: float | None, sessions: int
) -> tuple[str, ...]:
    """Return what parts that hold alone do not hold together."""
    memory = sum(part.memory_gb for part in parts)
    cost = sum(part.per_hour for part in parts)
    tests = (
        (
            answer is not None and answer > wanted.answer_ms,
            f"an answer would take {answer or 0:.0f} ms, {wanted.answer_ms:.0f} are allowed",
        ),
        (
            sessions < wanted.sessions,
            f"{wanted.cores} cores bear {sessions} sessions, {wanted.sessions} are wanted",
        ),
        (memory > wanted.memory_gb, f"it takes {memory:.1f} GB of memory, there are {wanted.memory_gb:g}"),
        (cost > wanted.budget_per_hour, f"it costs {cost:g} an hour, {wanted.budget_per_hour:g} are allowed"),
    )
    return tuple(reason for holds, reason in tests if holds)
