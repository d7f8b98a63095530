"""Models on machines: one cell for each model, target and backend."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mien.check.coverage import Asked, Asking
from mien.check.profiles import Backend, Profile
from mien.errors import MissingError
from mien.progress import Progress, silent

if TYPE_CHECKING:
    from mien.engine.backends.tensorrt_rtx.shapes import Sizes


@dataclass(frozen=True, slots=True)
class Cell:
    """A model on a target's backend. `verdict`: `runs`, `builds`, `listed` (a table names every operator),
    `partly` (the rest runs on the CPU), `refused`, `unknown`. `how`: `run`, `vendor`, `inferred`, or empty.
    """

    model: str
    target: str
    backend: str
    verdict: str
    how: str
    share: float | None
    detail: str = ""
    corners: int = 0
    ran: int = 0

    @property
    def shown(self) -> str:
        """The share as text, `?` when it is not known."""
        if self.share is None:
            return "?"
        return f"{self.share:.0%}" if self.share in (0.0, 1.0) else f"{min(self.share, 0.999):.1%}"

    @property
    def works(self) -> bool:
        """Whether nothing is known that stands against it."""
        return self.verdict in ("runs", "builds", "listed")


@dataclass(frozen=True, slots=True)
class Matrix:
    """All cells of models on targets."""

    models: tuple[str, ...]
    targets: tuple[str, ...]
    cells: tuple[Cell, ...]

    def best(self, model: str, target: str) -> Cell:
        """Return the most promising cell of a model on a target."""
        order = ("runs", "builds", "listed", "partly", "unknown", "refused")
        mine = [cell for cell in self.cells if (cell.model, cell.target) == (model, target)]
        return min(mine, key=lambda cell: (order.index(cell.verdict), -(cell.share or 0.0)))

    def lanes(self) -> list[tuple[str, str, list[Cell]]]:
        """Return each target's backends, with the cell of every model."""
        found: dict[tuple[str, str], list[Cell]] = {}
        for cell in self.cells:
            found.setdefault((cell.target, cell.backend), []).append(cell)
        order = {target: place for place, target in enumerate(self.targets)}
        rows = [(target, backend, cells) for (target, backend), cells in found.items()]
        return sorted(rows, key=lambda row: order[row[0]])

    def loaded(self, target: str) -> int:
        """Return how many models work on a target, whole, on one of its backends."""
        return sum(self.best(model, target).works for model in self.models)

    def rate(self, target: str) -> float:
        """Return the share of models that work on a target: its load success rate."""
        return self.loaded(target) / len(self.models) if self.models else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the cells as JSON takes them, and `best` and `rate` of each target."""
        return {
            "models": list(self.models),
            "targets": list(self.targets),
            "rates": {target: self.rate(target) for target in self.targets},
            "cells": [asdict(cell) for cell in self.cells],
            "best": [asdict(self.best(model, target)) for model in self.models for target in self.targets],
        }


def told(cells: Sequence[Cell]) -> str:
    """Return the share of a backend's models that work, as text; empty when nothing is known."""
    if all(cell.verdict == "unknown" for cell in cells):
        return ""
    return f"{sum(cell.works for cell in cells) / len(cells):.0%}"


def models(names: Sequence[str]) -> list[Path]:
    """Return the models named, and those in folders named; raises `MissingError`, `InputError`."""
    from mien.engine.diagnose.distribution import models_in

    found: list[Path] = []
    for name in names:
        path = Path(name)
        if not path.exists():
            raise MissingError(f"no model {name!r}; give an .onnx or .tflite file, or a folder of them")
        found += models_in(path) if path.is_dir() else [path]
    return found


def matrix(
    paths: Sequence[Path],
    profiles: Iterable[Profile],
    sizes: Mapping[str, Sizes] | None = None,
    tell: Progress = silent,
) -> Matrix:
    """Ask about every model on every target. `sizes`: ranges of free axes, instead of usual ones."""
    wanted = list(profiles)
    cells: list[Cell] = []
    with Asking(sizes) as asking:
        for done, path in enumerate(paths):
            for at, profile in enumerate(wanted):
                tell(f"{path.name} on {profile.name}", (done + at / len(wanted)) / len(paths))
                cells += [_cell(asking, path, profile, backend) for backend in profile.backends]
    return Matrix(tuple(path.name for path in paths), tuple(profile.name for profile in wanted), tuple(cells))


def _cell(asking: Asking, path: Path, profile: Profile, backend: Backend) -> Cell:
    name = f"{backend.name}, {backend.on}"
    if not backend.ask:
        return Cell(path.name, profile.name, name, "unknown", "", None, "nobody here can be asked")
    asked = asking.ask(path, backend.ask)
    detail = _detail(asked)
    library = backend.ask.partition(":")[0]
    if library == "table":
        alone = backend.name == "TensorRT"  # with no CPU beside it for what it does not take
        fails = asked.failure or (alone and asked.lacking)
        verdict = "refused" if fails else "partly" if asked.lacking else "listed"
        return Cell(path.name, profile.name, name, verdict, "vendor", asked.share, detail)
    itself = library == "tensorrt-rtx" and backend.name == "TensorRT-RTX"
    how = "run" if itself or backend.how == "run" else "inferred"
    return Cell(
        path.name, profile.name, name, _verdict(asked), how, asked.share, detail, asked.corners, asked.ran
    )


def _verdict(asked: Asked) -> str:
    if asked.failure:
        return "refused"
    if asked.lacking:
        return "partly"
    if asked.corners and asked.ran < asked.corners:
        return "partly" if asked.ran else "refused"
    return "runs" if asked.runs else "builds"


def _detail(asked: Asked) -> str:
    parts = [asked.failure] if asked.failure else []
    if asked.lacking:
        most = sorted(asked.lacking.items(), key=lambda item: (-item[1], item[0]))[:5]
        parts.append("not taken: " + ", ".join(f"{name} ({n})" for name, n in most))
    if asked.corners and asked.ran < asked.corners and not asked.failure:
        parts.append(f"{asked.ran} of {asked.corners} sizes ran")
    return "; ".join([*parts, *asked.notes[:3]])
