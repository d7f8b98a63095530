"""Markdown and HTML inside a line: emphasis, code, links, tags, entities, emoji."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from mien.speech.text.clean import clean, without_emoji

_PLAIN = re.compile(r"[^\\`*_~\[!<&|$\n]+")
_LONGEST, _LONGEST_COMMENT = 300, 10_000
_LINK = re.compile(
    r"!?\[((?:[^\[\]]|!?\[[^\[\]]*\](?:\([^()]*\))?)*)\]"
    r"(?:\((?:[^()\\]|\\.|\([^()]*\))*\)|\[[^\[\]]*\])"
)
_FOOTNOTE = re.compile(r"\[(?:\^[^\[\]]*|\d{1,3})\]\Z")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<!--.*?-->|<![A-Za-z][^<>]*>|<\?.*?\?>", re.DOTALL)
_AUTOLINK = re.compile(r"<((?:https?://|mailto:)[^\s<>]+|[\w.+-]+@[\w.-]+)>")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_ENTITY_OPEN = re.compile(r"&(?:#(?:\d{0,7}|[xX][0-9A-Fa-f]{0,6})|[A-Za-z][A-Za-z0-9]{0,31})?\Z")
_MARKS = re.compile(r"[*`]+|~~+|\\(?=[!-/:-@\[-`{-~])|[\[\]]")


class Inline:
    """A stream of characters without its inline markup; holds what may be markup until it is certain."""

    def __init__(self) -> None:
        self._held = ""
        self._last = " "

    def feed(self, text: str) -> Iterator[str]:
        """Yield the text that became certain."""
        i = 0
        while i < len(text):
            if not self._held:
                plain = _PLAIN.match(text, i)
                if plain:
                    yield self._out(plain.group())
                    i = plain.end()
                    continue
            yield from self._take(text[i])
            i += 1

    def flush(self) -> Iterator[str]:
        """Yield what is held, as text."""
        held, self._held = self._held, ""
        if held and not held.startswith("<!--"):
            yield self._out(_bare(held))
        self._last = " "

    def _out(self, text: str) -> str:
        self._last = text[-1:] or self._last
        return without_emoji(text.replace("`", ""))  # it has no sound, also where it is no markup

    def _take(self, char: str) -> Iterator[str]:
        """Add one character to what is held, and let go what is decided."""
        held = self._held
        if not held:
            if char == "\n":
                yield self._out("\n")
            elif char == "|":
                yield self._out(", ")
            else:
                self._held = char
            return
        if char == "\n" and not held.startswith("<!--"):
            yield from self.flush()
            yield self._out("\n")
            return
        decide = _DECISIONS[held[0]]
        said = decide(self, held, char)
        if said is None:
            self._held = held + char
            if len(self._held) > (_LONGEST_COMMENT if held.startswith("<!--") else _LONGEST):
                yield from self.flush()
            return
        text, again = said
        self._held = ""
        if text:
            yield self._out(text)
        if again:
            yield from self.feed(again)

    def _escape(self, held: str, char: str) -> tuple[str, str] | None:
        if char.isascii() and not char.isalnum() and not char.isspace():
            return char, ""
        return held, char

    def _run(self, held: str, char: str) -> tuple[str, str] | None:
        """`*`, `_`, `~`: a run of them between the character before and `char`."""
        if char == held[0]:
            return None
        before, after = self._last, char
        if held[0] == "_":
            inside = before.isalnum() and after.isalnum()
            return ("_" if inside and len(held) == 1 else " " * inside), char
        if held[0] == "~" and len(held) == 1:
            return held, char
        arithmetic = (before.isspace() and after.isspace()) or (before.isdigit() and after.isdigit())
        return ("*" if arithmetic and held == "*" else ""), char

    def _code(self, held: str, char: str) -> tuple[str, str] | None:
        ticks = len(held) - len(held.lstrip("`"))
        if ticks == len(held):
            return None
        if char != "`" and held.endswith("`" * ticks) and not held.endswith("`" * (ticks + 1)):
            return held[ticks:-ticks].strip(), char
        return None

    def _bracket(self, held: str, char: str) -> tuple[str, str] | None:
        if held == "!" and char != "[":
            return held, char
        if char in ")]" and (link := _LINK.fullmatch(held + char)):
            return _bare_link(link[1]), ""
        if held.endswith("]") and char not in "([" and _closed(held):
            return ("" if _FOOTNOTE.fullmatch(held) else _bare(held.lstrip("!"))), char
        return None

    def _angle(self, held: str, char: str) -> tuple[str, str] | None:
        if held == "<" and not (char.isalpha() or char in "/!?"):
            return held, char
        if char == "<" and not held.startswith("<!--"):
            return held, char
        if char != ">":
            return None
        whole = held + char
        if auto := _AUTOLINK.fullmatch(whole):
            return auto[1].removeprefix("mailto:"), ""
        return (" ", "") if _TAG.fullmatch(whole) else None

    def _entity(self, held: str, char: str) -> tuple[str, str] | None:
        whole = held + char
        if _ENTITY.fullmatch(whole):
            return clean(html.unescape(whole)).replace("\xa0", " "), ""
        return None if _ENTITY_OPEN.fullmatch(whole) else (held, char)

    def _dollar(self, held: str, char: str) -> tuple[str, str] | None:
        return (None if char == "$" else (held[:1], char)) if set(held) == {"$"} else (held, char)


def _closed(held: str) -> bool:
    """Whether the brackets of a link's text are balanced in what is held."""
    depth = 0
    for char in held:
        depth += (char == "[") - (char == "]")
    return depth <= 0


def _bare(text: str) -> str:
    """Return text that turned out to be no markup, without the signs that would be read aloud."""
    text = re.sub(r"\]\([^)]*\)?", "]", text)
    return _MARKS.sub("", text)


def _bare_link(text: str) -> str:
    inline = Inline()
    return "".join([*inline.feed(text), *inline.flush()])


_DECISIONS = {
    "\\": Inline._escape,
    "*": Inline._run,
    "_": Inline._run,
    "~": Inline._run,
    "`": Inline._code,
    "[": Inline._bracket,
    "!": Inline._bracket,
    "<": Inline._angle,
    "&": Inline._entity,
    "$": Inline._dollar,
}
