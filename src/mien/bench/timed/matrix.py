"""What `mien check MODEL --target all -o matrix.json` found, as a heat map of the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from mien.bench.timed.plots import Grid
from mien.contents import contents, parse_json
from mien.errors import CorruptError

_HINT: Final = "make one: mien check MODEL --target all -o matrix.json"
_STATUS: Final = {
    "runs": "ok", "builds": "ok", "listed": "ok",
    "partly": "warning", "refused": "failed", "unknown": "not run",
}  # fmt: skip


def read(path: Path) -> Grid:
    """Return the best of each model on each target; raises `MissingError`, `CorruptError`."""
    try:
        table = parse_json(contents(path, "matrix", _HINT))
        cells: dict[str, dict[str, tuple[str, str]]] = {}
        for best in table["best"]:
            status = _STATUS.get(str(best["verdict"]), "not run")
            status = "likely" if status == "ok" and best["how"] != "run" else status
            cells.setdefault(str(best["model"]), {})[str(best["target"])] = (status, _told(best))
        rows, columns = (tuple(map(str, table[name])) for name in ("models", "targets"))
        return Grid("Models on targets", rows, columns, cells)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorruptError(f"{path} is no matrix of models and targets ({error}); {_HINT}") from None


def _told(best: dict[str, Any]) -> str:
    share = best.get("share")
    covered = f", {share:.0%} of its operators" if isinstance(share, float) else ""
    return (
        f"({best['verdict']} on {best['backend']}, {best['how'] or 'nobody asked'}{covered}) {best['detail']}"
    )
