"""People's recorded voices, cut into what they say in one turn: what a conversation is measured with."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from mien import packs
from mien.audio import files
from mien.audio.pcm import Pcm
from mien.errors import InputError, MissingError
from mien.media import sounds
from mien.speech.listening import Final, Models
from mien.speech.listening.error_rate import units
from mien.speech.listening.playback import play

SHORTEST_S, LONGEST_S = 0.8, 15.0
_ENDS = (".", "!", "?", "。", "！", "？")
_BEFORE_S, _AFTER_S = 0.25, 0.1  # kept around what was said
_CODED = (".g722",)  # what telephone systems keep prompts in
BOOK = (
    "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of "
    "foolishness, it was the epoch of belief, it was the epoch of incredulity, it was the season of "
    "Light, it was the season of Darkness, it was the spring of hope, it was the winter of despair, we "
    "had everything before us, we had nothing before us, we were all going direct to Heaven, we were all "
    "going direct the other way, in short, the period was so far like the present period, that some of "
    "its noisiest authorities insisted on its being received, for good or for evil, in the superlative "
    "degree of comparison only."
)


@dataclass(frozen=True, slots=True)
class Utterance:
    """What somebody says in one turn, and its words."""

    name: str
    pcm: Pcm
    text: str


def from_folder(folder: Path) -> list[Utterance]:
    """Read recordings (WAV, FLAC, OGG, MP3, G.722) and their words: lines `name: words` of `.txt` files.

    What lasts less than 0.8 s or more than 15 s, files without words, and words that are no whole sentence
    (they end without a full stop, question or exclamation mark) are left out. Raises `MissingError` when
    there is no such folder, `InputError` when nothing in it can be used.
    """
    if not folder.is_dir():
        raise MissingError(f"there is no folder {folder}; give one with recordings and their words in .txt")
    words = _words(folder)
    kinds = (*files.FORMATS, *_CODED)
    paths = [path for path in sorted(folder.rglob("*")) if path.suffix in kinds and path.stem in words]
    found = [Utterance(path.stem, _read(path), words[path.stem]) for path in paths]
    used = [one for one in found if SHORTEST_S <= one.pcm.duration_s <= LONGEST_S]
    if not used:
        raise InputError(f"{folder} has no recording with its words; a .txt file gives them as NAME: WORDS")
    return used


def from_pack(models: Models) -> list[Utterance]:
    """Return the recording of the pack `samples`, cut where a listener ends turns."""
    pcm = files.read(packs.path("samples") / "two_cities.wav")
    finals = asyncio.run(_finals(models, pcm))
    texts = _shares(BOOK, [final.text for final in finals])
    return [
        Utterance(f"two_cities {number}", _cut(pcm, final), text)
        for number, (final, text) in enumerate(zip(finals, texts, strict=True), 1)
    ]


async def _finals(models: Models, pcm: Pcm) -> list[Final]:
    return [event async for event, _ in play(models, pcm) if isinstance(event, Final)]


def _shares(text: str, heard: Sequence[str]) -> list[str]:
    """Return what of `text` each of the heard parts should have been."""
    wanted, got = units(text, "en"), [units(part, "en") for part in heard]
    joined = [word for part in got for word in part]
    blocks = SequenceMatcher(None, joined, wanted, autojunk=False).get_matching_blocks()
    starts = {block.a + i: block.b + i for block in blocks for i in range(block.size)}
    cuts, at = [0], 0
    for part in got[:-1]:
        at += len(part)
        near = next(place for place in range(at, len(joined) + 1) if place in starts)
        cuts.append(starts[near] - (near - at))
    return [" ".join(wanted[a:b]) for a, b in zip(cuts, [*cuts[1:], len(wanted)], strict=True)]


def _cut(pcm: Pcm, final: Final) -> Pcm:
    start = max(0, final.words[0].start - round(_BEFORE_S * pcm.rate_hz))
    return pcm.cut(start, final.sample + round(_AFTER_S * pcm.rate_hz))


def _words(folder: Path) -> dict[str, str]:
    """Return the words by name; notes in brackets are none."""
    lines = [line for path in sorted(folder.rglob("*.txt")) for line in path.read_text("utf-8").splitlines()]
    pairs = (line.split(":", 1) for line in lines if ":" in line and not line.startswith(";"))
    return {name.strip(): words.strip() for name, words in pairs if _is_whole(words.strip())}


def _is_whole(words: str) -> bool:
    return words.endswith(_ENDS) and not words.endswith("...") and "[" not in words


def _read(path: Path) -> Pcm:
    return sounds.read(path) if path.suffix in _CODED else files.read(path)
