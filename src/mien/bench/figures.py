"""Figures with what is asked of them, as a table, as Markdown and as JSON."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Figure:
    """`value` in `unit`; `asked` is the bound it should keep: at most (`"<="`), at least (`">="`), or
    at most in size (`"±"`).
    """

    name: str
    value: float | None
    unit: str
    bound: str = ""
    asked: float | None = None

    @property
    def kept(self) -> bool | None:
        """Whether the bound is kept; None where nothing is asked or nothing could be measured."""
        if self.asked is None or self.value is None:
            return None
        if self.bound == ">=":
            return self.value >= self.asked
        return (abs(self.value) if self.bound == "±" else self.value) <= self.asked

    @property
    def wanted(self) -> str:
        """What is asked, as text."""
        sign = {"<=": "≤", ">=": "≥"}.get(self.bound, self.bound)
        return f"{sign} {self.asked:g}" if self.asked is not None else ""

    @property
    def shown(self) -> str:
        """The value as text."""
        return "-" if self.value is None else f"{self.value:.4g}"


@dataclass(slots=True)
class Figures:
    """All figures of one run, in order."""

    rows: list[Figure] = field(default_factory=list)

    def add(
        self, name: str, value: float | None, unit: str, bound: str = "", asked: float | None = None
    ) -> None:
        """Append a figure."""
        self.rows.append(Figure(name, None if value is None else float(value), unit, bound, asked))

    def __iter__(self) -> Iterator[Figure]:
        return iter(self.rows)

    def to_markdown(self) -> str:
        """Return a table for docs/benchmarks.md."""
        mark = {True: "yes", False: "**no**", None: ""}
        lines = ["| figure | reached | unit | asked | kept |", "| --- | ---: | --- | ---: | --- |"]
        lines += [f"| {r.name} | {r.shown} | {r.unit} | {r.wanted} | {mark[r.kept]} |" for r in self.rows]
        return "\n".join(lines)

    def to_json(self) -> str:
        """Return the figures with the machine they came from."""
        rows = [asdict(row) | {"kept": row.kept} for row in self.rows]
        return json.dumps({"machine": machine(), "figures": rows}, indent=2, ensure_ascii=False)


def machine() -> dict[str, str | int]:
    """Return what the figures depend on: processor, cores, system, Python."""
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 0,
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
    }


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
