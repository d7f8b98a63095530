"""What benches and the judge wrote: the newest lip-sync and the newest soak in a folder of JSON files."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from mien.check.ready.point import days
from mien.check.result import Result, failed, ok, warning
from mien.home import home

_OFFSET: Final = "A/V offset"
_ERROR: Final = "standard error"
_LARGEST: Final = 64 << 20  # bytes


@dataclass(frozen=True, slots=True)
class Figures:
    """One file: name → (value, whether what is asked of it is kept), and its age in days."""

    path: Path
    age: float
    rows: Mapping[str, tuple[float | None, bool | None]]


def folder() -> Path:
    """Return where results are looked for: `$MIEN_HOME/bench`."""
    return home() / "bench"


def read(where: Path) -> list[Figures]:
    """Return the files of a folder that hold figures, the newest first."""
    files = [where] if where.is_file() else sorted(where.rglob("*.json"))
    found = [made for file in files if (made := _read(file)) is not None]
    return sorted(found, key=lambda each: each.age)


def lips(where: Path, budget_ms: float, most_days: float) -> Result:
    """Judge the newest measured offset between mouth and sound.

    Figures of `mien bench say`, facts of `mien bench all`, or the report of `mien measure FILM --json`.
    """
    again = f"mkdir -p {folder()} && mien bench say -o {folder() / 'say.json'}"
    for each in read(where):
        offsets = [
            value
            for name, (value, _) in each.rows.items()
            if value is not None and (name == "av_offset_ms" or (_OFFSET in name and _ERROR not in name))
        ]
        if not offsets:
            continue
        worst = max(offsets, key=abs)
        line = f"mouth and sound are {worst:+.1f} ms apart at worst, allowed are ±{budget_ms:g}"
        if abs(worst) > budget_ms:
            return failed(line, again, str(each.path))
        return _aged(line, each, most_days, again)
    return failed(f"no lip-sync was measured: no figures in {where}", again)


def soak(where: Path, most_days: float) -> Result:
    """Judge the newest run of many callers (`mien bench live --sessions`)."""
    again = f"mkdir -p {folder()} && mien bench live --sessions 8 --turns 50 -o {folder() / 'soak.json'}"
    for each in read(where):
        if not {"sessions", "answers"} <= each.rows.keys():
            continue
        missed = [name for name, (_, kept) in each.rows.items() if kept is False]
        sessions, answers = (each.rows[name][0] or 0 for name in ("sessions", "answers"))
        line = f"{sessions:g} callers got {answers:g} answers {each.age:.1f} days ago"
        if missed:
            return failed(f"{line}, and missed: {', '.join(missed[:3])}", again, str(each.path))
        return _aged(line, each, most_days, again)
    return failed(f"no soak: no figures of callers in {where}", again)


def _aged(line: str, figures: Figures, most_days: float, again: str) -> Result:
    if figures.age > most_days:
        return failed(
            f"{line}: {figures.age:.0f} days old, allowed are {most_days:g}", again, str(figures.path)
        )
    if figures.age > 0.8 * most_days:
        return warning(f"{line}: soon too old", again, str(figures.path))
    return ok(line, str(figures.path))


def _read(file: Path) -> Figures | None:
    try:
        if file.stat().st_size > _LARGEST:
            return None
        table = json.loads(file.read_text("utf-8"))
        written = file.stat().st_mtime
    except (OSError, ValueError):
        return None
    rows = dict(_rows(table)) if isinstance(table, dict) else {}
    if not rows:
        return None
    return Figures(file, days(time.time() - _made(table, written)), rows)


def _rows(table: Mapping[str, Any]) -> Iterator[tuple[str, tuple[float | None, bool | None]]]:
    for row in _list(table.get("figures")):
        if isinstance(row, dict) and "name" in row:
            yield str(row["name"]), (_number(row.get("value")), row.get("kept"))
    for bench in _list(table.get("benches")):
        for fact in _list(bench.get("facts") if isinstance(bench, dict) else None):
            if len(_list(fact)) == 3:
                yield str(fact[0]), (_number(fact[1]), None)
    if "av_offset_ms" in table:
        yield "av_offset_ms", (_number(table["av_offset_ms"]), None)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _made(table: Mapping[str, Any], written: float) -> float:
    """Return when a file says that it was made, else when it was written."""
    try:
        return datetime.fromisoformat(str(table["made"])).timestamp()
    except (KeyError, ValueError):
        return written
