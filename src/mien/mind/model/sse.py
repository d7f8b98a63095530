"""Server-sent events as bytes → their data (WHATWG HTML, 9.2)."""

from __future__ import annotations

import codecs

LONGEST = 1 << 20


class Events:
    """Takes bytes as they come, however they are cut; `feed` returns the data of whole events."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> list[str]:
        """Return the data of the events that became whole; raises `ValueError` for a line without an end."""
        self._rest += self._decoder.decode(chunk)
        if len(self._rest) > LONGEST:
            raise ValueError(f"a line of over {LONGEST} characters")
        *lines, self._rest = self._rest.replace("\r\n", "\n").split("\n")
        found = (self._line(line.rstrip("\r")) for line in lines)
        return [data for data in found if data is not None]

    def _line(self, line: str) -> str | None:
        if not line:
            data, self._data = "\n".join(self._data), []
            return data or None
        name, _, value = line.partition(":")
        if name == "data":
            self._data.append(value.removeprefix(" "))
        return None
