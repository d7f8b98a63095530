"""JSON that anyone may have written, read with its types checked."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from mien.errors import CorruptError


class Table:
    """A JSON object and where it stands: `head.glb: meshes[2]`. Every reader raises `CorruptError`."""

    __slots__ = ("values", "where")

    def __init__(self, values: Mapping[str, Any], where: str) -> None:
        self.values, self.where = values, where

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def table(self, key: str) -> Table:
        """Return an object; an absent one is empty."""
        value = self.values.get(key, {})
        return Table(value, self._at(key)) if isinstance(value, dict) else self.wrong(key, "an object")

    def tables(self, key: str) -> list[Table]:
        """Return a list of objects; an absent one is empty."""
        rows = self._list(key)
        if not all(isinstance(row, dict) for row in rows):
            self.wrong(key, "a list of objects")
        return [Table(row, f"{self._at(key)}[{i}]") for i, row in enumerate(rows)]

    def row(self, key: str, index: int) -> Table:
        """Return one object of a list by its index."""
        rows = self._list(key)
        if not 0 <= index < len(rows) or not isinstance(rows[index], dict):
            raise CorruptError(f"{self.where}: no {key}[{index}]; there are {len(rows)}")
        return Table(rows[index], f"{self._at(key)}[{index}]")

    def text(self, key: str, default: str = "") -> str:
        """Return a string, without what a terminal would act on."""
        value = self.values.get(key, default)
        return printable(value) if isinstance(value, str) else self.wrong(key, "text")

    def uri(self) -> str:
        """Return the member `uri` as it stands, however long; empty when it is absent."""
        value = self.values.get("uri", "")
        return value if isinstance(value, str) else self.wrong("uri", "text")

    def texts(self, key: str) -> list[str]:
        """Return a list of strings; an absent one is empty."""
        rows = self._list(key)
        return (
            [printable(r) for r in rows]
            if all(isinstance(r, str) for r in rows)
            else self.wrong(key, "texts")
        )

    def whole(self, key: str, default: int | None = None, *, low: int = 0, high: int = 2**32) -> int:
        """Return a whole number from `low` to `high`; without a default it must be there."""
        value = self.values.get(key, default)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self.wrong(key, f"a whole number from {low} to {high}")
        return value

    def wholes(self, key: str) -> list[int]:
        """Return a list of whole numbers that are not negative; an absent one is empty."""
        rows = self._list(key)
        if not all(isinstance(r, int) and not isinstance(r, bool) and r >= 0 for r in rows):
            self.wrong(key, "a list of whole numbers")
        return rows

    def number(self, key: str, default: float) -> float:
        """Return a finite number."""
        value = self.values.get(key, default)
        return float(value) if _finite(value) else self.wrong(key, "a number")

    def numbers(self, key: str, default: tuple[float, ...]) -> list[float]:
        """Return as many finite numbers as the default has."""
        rows = self._list(key) if key in self.values else list(default)
        if len(rows) != len(default) or not all(_finite(row) for row in rows):
            self.wrong(key, f"{len(default)} numbers")
        return [float(row) for row in rows]

    def flag(self, key: str) -> bool:
        """Return a truth value; an absent one is false."""
        value = self.values.get(key, False)
        return value if isinstance(value, bool) else self.wrong(key, "true or false")

    def items(self, key: str) -> Iterator[tuple[str, Table]]:
        """Yield the named objects inside an object."""
        inside = self.table(key)
        for name in inside.values:
            yield printable(name), inside.table(name)

    def wrong(self, key: str, valid: str) -> NoReturn:
        """Refuse a value."""
        value = repr(self.values.get(key))
        shown = value if len(value) <= 40 else value[:40] + "..."
        raise CorruptError(f"{self._at(key)} is {shown}; it must be {valid}; export the file again")

    def _at(self, key: str) -> str:
        return f"{self.where}{'.' if self.where.endswith(']') else ': '}{key}"

    def _list(self, key: str) -> list[Any]:
        value = self.values.get(key, [])
        return value if isinstance(value, list) else self.wrong(key, "a list")


def printable(text: str) -> str:
    """Return text without control characters, at most 200 characters of it."""
    return "".join(c if c.isprintable() else " " for c in text[:200])


def _finite(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= sys.float_info.max  # a whole number may be beyond every float
