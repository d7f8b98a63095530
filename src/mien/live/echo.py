"""Whether what is heard is what is being said: a loudspeaker's sound in the microphone."""

from __future__ import annotations

from mien.live.script import words
from mien.speech.listening.agreement import bare

WINDOW = 40  # words (Han characters) of what was said last
LEAST = 3  # fewer may be the user's own: "yes", "on Friday?"
_SHARE = 0.75  # of what is heard; the rest is misheard


def is_echo(heard: str, said: str) -> bool:
    """Return whether the words heard are, in order, among the last that were said."""
    ours = [bare(word) for word in words(said)[-WINDOW:]]
    theirs = [word for word in map(bare, words(heard)) if word]
    return len(theirs) >= LEAST and _common(theirs, ours) >= _SHARE * len(theirs)


def _common(one: list[str], other: list[str]) -> int:
    """Return the length of the longest common subsequence."""
    row = [0] * (len(other) + 1)
    for word in one:
        before = 0
        for at, each in enumerate(other, 1):
            here = row[at]
            row[at] = before + 1 if word == each else max(here, row[at - 1])
            before = here
    return row[-1]
