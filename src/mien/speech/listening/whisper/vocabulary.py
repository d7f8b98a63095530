"""Whisper's tokens: byte-level BPE (Radford et al., GPT-2, 2019) and the special tokens behind it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from mien.contents import contents
from mien.errors import CorruptError, InputError, nearest, require

# GPT-2's own pattern: contractions, words, numbers and signs, each with the space before it.
_PIECES = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"

_MULTILINGUAL = 50_257  # words' tokens in the models of many languages; those of English have one less


@dataclass(frozen=True)
class Vocabulary:
    """Text ↔ tokens. `pieces[token]` are its bytes; `special` tokens by name (`<|en|>`)."""

    pieces: tuple[bytes, ...]
    special: Mapping[str, int]
    merges: Mapping[tuple[str, str], int]

    @property
    def end(self) -> int:
        """The token behind the last word; every token above it is special."""
        return self.special["<|endoftext|>"]

    @property
    def languages(self) -> Mapping[str, int]:
        """ISO 639-1 codes with their tokens; empty in a model of English alone."""
        return self._languages if self.end == _MULTILINGUAL else {}

    @cached_property
    def _languages(self) -> dict[str, int]:
        low, high = self.special["<|startoftranscript|>"], self.special["<|translate|>"]
        return {name.strip("<|>"): token for name, token in self.special.items() if low < token < high}

    def text(self, tokens: Iterable[int]) -> str:
        """Return the words of tokens; special ones are left out, half a character is U+FFFD."""
        return self.spelt(tokens).decode("utf-8", "replace")

    def spelt(self, tokens: Iterable[int]) -> bytes:
        """Return the bytes of tokens; special ones are left out."""
        return b"".join(self.pieces[token] for token in tokens if token < self.end)

    def tokens(self, text: str) -> list[int]:
        """Return the tokens of a text that holds no special ones."""
        regex: Any = require("regex", extra="voice")
        return [token for piece in regex.findall(_PIECES, text) for token in self._merged(piece)]

    def start(self, language: str) -> list[int]:
        """Return the tokens before the first word; raises `InputError` for a language it does not know."""
        start, silent = self.special["<|startoftranscript|>"], self.special["<|notimestamps|>"]
        if not self.languages:
            if language != "en":
                raise InputError(f"this model knows English alone, not {language!r}; use whisper-base")
            return [start, silent]
        if language not in self.languages:
            raise InputError(f"no language {language!r}{nearest(language, self.languages)}")
        return [start, self.languages[language], self.special["<|transcribe|>"], silent]

    def _merged(self, piece: str) -> list[int]:
        parts = [_LETTERS[byte] for byte in piece.encode()]
        while len(parts) > 1:
            pairs = [(self.merges.get((parts[i], parts[i + 1])), i) for i in range(len(parts) - 1)]
            known = [(rank, i) for rank, i in pairs if rank is not None]
            if not known:
                break
            _, at = min(known)
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        return [self._numbers[_unlettered(part)] for part in parts]

    @cached_property
    def _numbers(self) -> dict[bytes, int]:
        return {piece: token for token, piece in enumerate(self.pieces)}


def read(path: Path) -> Vocabulary:
    """Read `tokenizer.json`; raises `MissingError` or `CorruptError`."""
    try:
        table = json.loads(contents(path, "tokenizer", "pull its pack again"))
        model = table["model"]
        special = {str(entry["content"]): int(entry["id"]) for entry in table["added_tokens"]}
        known = sorted(((number, name) for name, number in model["vocab"].items() if name not in special))
        if [number for number, _ in known] != list(range(len(known))):
            raise ValueError("its tokens are not numbered without gaps")
        pieces = tuple(_unlettered(name) for _, name in known)
        merges = {_pair(merge): rank for rank, merge in enumerate(model["merges"])}
        return Vocabulary(pieces, special, merges)
    except (ValueError, KeyError, TypeError) as error:
        raise CorruptError(f"{path} is no tokenizer of Whisper: {error}; pull its pack again") from None


def _pair(merge: str | Sequence[str]) -> tuple[str, str]:
    left, right = merge.split(" ") if isinstance(merge, str) else merge
    return left, right


def _letters() -> tuple[str, ...]:
    """Return the letter that GPT-2 writes for each byte: itself, or one from U+0100 on if it has none."""
    seen = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in seen]
    return tuple(chr(256 + hidden.index(byte)) if byte in hidden else chr(byte) for byte in range(256))


_LETTERS = _letters()
_BYTES = {letter: byte for byte, letter in enumerate(_LETTERS)}


def _unlettered(name: str) -> bytes:
    return bytes(_BYTES[letter] for letter in name)
