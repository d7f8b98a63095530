"""Plain text with Markdown: blocks are told apart line by line, as the text arrives.

The subset of CommonMark and GFM (https://spec.commonmark.org, https://github.github.com/gfm/)
that people and language models write. What begins a line is held until its kind is certain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from mien.speech.text.inline import Inline
from mien.speech.text.items import Close, Item, Style, Text

_QUOTE = re.compile(r"\s*>\s?")
_HEADING = re.compile(r"\s*#{1,6}[ \t]+")
_BULLET = re.compile(r"\s*[-*+•●▪◦·‣][ \t]+")
_NUMBERED = re.compile(r"\s*(\d{1,9})[.)][ \t]+")
_TASK = re.compile(r"\[[ xX]\][ \t]+")
_LABEL = re.compile(r"\s*\[[^\]\n]{1,99}\]:")
_DEFINITION = re.compile(r"\s*\[(?:\^[^\]\n]+\]:|[^\]\n]+\]:\s*<?(?:https?:|www\.|mailto:|[/#.]))")
_RULE = re.compile(r"[\s|:=_*-]*\Z")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_CELL = re.compile(r"(?<!\\)\|")
# Prefixes of a line that leave its kind open.
_OPEN = re.compile(
    r"[ \t\u3000]*(?:#{1,6}|[-*+•●▪◦·‣]|\d{1,9}|\d{1,9}[.)]|`{1,2}|~{1,2}|"
    r"\[[^\]\n]{0,99}|\[[^\]\n]{1,99}\]|[-=_*+][-=_* \t]*)?\Z"
)
_LONGEST_LINE = 2000


class Markdown:
    """Takes Markdown apart; any way of cutting a text gives the same items."""

    def __init__(self, style: Style) -> None:
        self._style = style
        self._inline = Inline()
        self._line: str | None = ""
        self._fence = ""
        self._heading = False

    def feed(self, text: str) -> Iterator[Item]:
        """Yield what became known with the next chunk."""
        start = 0
        while start < len(text):
            if self._line is None:
                end = text.find("\n", start)
                end = len(text) if end < 0 else end
                yield from self._say(self._inline.feed(text[start:end]))
                if end < len(text):
                    yield from self._end_line()
                start = end + 1
            else:
                char = text[start]
                yield from self._whole_line() if char == "\n" else self._begin(char)
                start += 1

    def finish(self) -> Iterator[Item]:
        """Yield what is left."""
        if self._line:
            yield from self._whole_line()
        yield from self._say(self._inline.flush())

    def _begin(self, char: str) -> Iterator[Item]:
        """Add a character to the held beginning of a line; go on when its kind is known."""
        line = self._line = (self._line or "") + char
        if self._fence or _FENCE.match(line) or _LABEL.match(line) or line.lstrip().startswith("|"):
            if len(line) > _LONGEST_LINE and not self._fence:
                yield from self._paragraph(line)
        elif char in " \t" and (block := self._block(line)):
            yield from block
        elif not _OPEN.match(line) and not _QUOTE.match(line):
            yield from self._paragraph(line)
        elif _QUOTE.match(line):
            self._line = ""

    def _block(self, line: str) -> list[Item]:
        """Return the items that a heading's or list item's marker stands for; none if it is neither."""
        if _HEADING.fullmatch(line):
            self._heading, self._line = True, None
            return [*self._say(self._inline.flush()), Close("paragraph")]
        if _BULLET.fullmatch(line):
            self._line = ""
            return [*self._say(self._inline.flush()), Close("sentence")]
        if number := _NUMBERED.fullmatch(line):
            self._line = ""
            return [*self._say(self._inline.flush()), Close("sentence"), Text(f"{number[1]}, ", self._style)]
        if _TASK.fullmatch(line):
            self._line = None
            return [Text(" ", self._style)]
        return []

    def _paragraph(self, line: str) -> Iterator[Item]:
        self._line = None
        yield from self._say(self._inline.feed(line.lstrip()))

    def _whole_line(self) -> Iterator[Item]:
        """Take a line that was held to its end."""
        line, self._line = self._line or "", ""
        fence = _FENCE.match(line)
        if self._fence:
            if fence and fence[1].startswith(self._fence) and not line.strip(" \t`~"):
                self._fence = ""
        elif fence:
            self._fence = fence[1]
            yield from self._closed("sentence")
        elif _DEFINITION.match(line):
            return
        elif line.lstrip().startswith("|"):
            yield from self._row(line)
        elif _RULE.match(line):
            yield from self._closed("paragraph")
        else:
            yield from self._paragraph(line)
            yield from self._end_line()

    def _closed(self, kind: str) -> Iterator[Item]:
        yield from self._say(self._inline.flush())
        yield Close(kind)

    def _row(self, line: str) -> Iterator[Item]:
        if _RULE.match(line):
            return
        yield from self._closed("sentence")
        for cell in _CELL.split(line.strip().strip("|")):
            inline = Inline()
            yield from self._say([*inline.feed(f" {cell.strip()}"), *inline.flush()])
            yield Close("clause")
        yield Close("sentence")

    def _end_line(self) -> Iterator[Item]:
        self._line = ""
        yield from self._say(self._inline.feed("\n"))
        if self._heading:
            self._heading = False
            yield from self._closed("paragraph")

    def _say(self, parts: Iterable[str]) -> Iterator[Item]:
        for part in parts:
            yield Text(part, self._style)
