"""What `mien persona test` shows."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from mien.mind.content import Content
from mien.mind.rehearsal import Rehearsal

SHOWN = 12  # pairs that are too near
COLUMNS = ("topic", "examples", "right", "asks", "unknown", "wrong", "would answer")


def show(content: Content, rehearsal: Rehearsal, everything: bool) -> bool:
    """Print the tables, of small talk only with `everything`; return whether nothing was confused."""
    console = Console()
    if not everything:
        rehearsal = _of_content(content, rehearsal)
    console.print(_topics(content, rehearsal, everything))
    wrong = [trial for trial in rehearsal.trials if trial.outcome == "wrong"]
    if wrong:
        console.print(_confused(rehearsal))
    if rehearsal.near:
        console.print(_near(rehearsal))
    for topic, language, count in rehearsal.few:
        console.print(f"{topic}: {count} examples in {language!r}; give it three or more", highlight=False)
    right = sum(trial.outcome == "right" for trial in rehearsal.trials)
    total = len(rehearsal.trials)
    console.print(
        f"{right} of {total} examples found by the others ({right / total:.0%}), {len(wrong)} confused"
    )
    return not wrong


def _of_content(content: Content, rehearsal: Rehearsal) -> Rehearsal:
    """Return what concerns intents and knowledge: small talk is mien's own, for the most part."""
    own = {name for name, topic in content.topics.items() if topic.kind in ("intent", "knowledge")}
    trials = tuple(trial for trial in rehearsal.trials if trial.topic in own)
    near = tuple(near for near in rehearsal.near if own & set(near.topics))
    return Rehearsal(trials, near, rehearsal.few)


def _topics(content: Content, rehearsal: Rehearsal, everything: bool) -> Table:
    title = (
        "each example left out once"
        if everything
        else "each example left out once; --all shows small talk too"
    )
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for column in COLUMNS:
        last = column == COLUMNS[-1]
        width = {"topic": 18, COLUMNS[-1]: 12}.get(column, len(column))
        table.add_column(column, min_width=width, no_wrap=last, overflow="ellipsis" if last else "fold")
    for topic in content.topics.values():
        counts = rehearsal.counts(topic.name)
        if not everything and counts["right"] == counts.total():
            continue
        first = next(iter(topic.answer.of(next(iter(topic.answer.ways), ""))), "")
        numbers = (counts.total(), *(counts[each] for each in COLUMNS[2:-1]))
        table.add_row(topic.name, *map(str, numbers), _short(first))
    return table


def _confused(rehearsal: Rehearsal) -> Table:
    table = Table(
        "what is said", "is", "taken for", title="confused", title_justify="left", box=None, pad_edge=False
    )
    for trial in rehearsal.trials:
        if trial.outcome == "wrong":
            table.add_row(_short(trial.text), trial.topic, trial.got[0])
    return table


def _near(rehearsal: Rehearsal) -> Table:
    table = Table(
        "alike",
        "example",
        "of",
        title="too near to each other",
        title_justify="left",
        box=None,
        pad_edge=False,
    )
    for near in rehearsal.near[:SHOWN]:
        table.add_row(f"{near.score:.2f}", near.first, near.topics[0])
        table.add_row("", near.second, near.topics[1])
    return table


def _short(text: str) -> str:
    return text if len(text) <= 48 else text[:47] + "…"
