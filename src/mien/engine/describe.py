"""The manifest of what was compiled."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mien.engine import cache
from mien.engine import manifest as manifests
from mien.engine.beside import Ahead
from mien.engine.compare import Comparison
from mien.engine.job import Job
from mien.engine.manifest import Manifest
from mien.engine.pareto import Trial
from mien.engine.precision.plan import Plan
from mien.engine.request import rebuild


@dataclass(frozen=True, slots=True)
class Made:
    """All that a compilation found out about its result.

    `contained`: nodes by precision in the file; `executed`: operators as the backend runs them.
    """

    data: bytes
    plan: Plan
    contained: Mapping[str, int]
    executed: Mapping[str, int]
    passes: tuple[Mapping[str, Any], ...]
    calibration: Mapping[str, Any] | None
    check: Comparison | None
    trials: list[Trial]
    ahead: Ahead | None


def manifest(job: Job, key: str, made: Made) -> Manifest:
    """Return the manifest of what was made for a job."""
    request = job.request
    backend, device = manifests.place_of(job.target)
    return Manifest(
        key=key,
        source={"path": str(request.source), "sha256": cache.fingerprint(job.source)},
        model_sha256=hashlib.sha256(made.data).hexdigest(),
        target=job.target.name,
        backend=backend,
        device=device,
        command=request.command or rebuild(request),
        asked=request.precision,
        precision=dict(made.contained),
        kept=dict(made.plan.kept),
        executed=dict(made.executed),
        passes=made.passes,
        calibration=made.calibration,
        check=_check(job, made.check),
        speed_ms={trial.name: trial.ms for trial in made.trials},
        size_bytes={"source": job.source.stat().st_size, "engine": len(made.data)},
        budget=request.budget,
        trials=tuple(trial.to_json() for trial in made.trials),
        session={"fold_weights": job.options.fold_weights},
        plan=made.ahead.facts() if made.ahead else None,
    )


def _check(job: Job, check: Comparison | None) -> dict[str, Any] | None:
    if check is None or job.parts is None:
        return None
    return {"samples": check.samples, "origin": job.parts[1].origin, "outputs": check.to_json()}


def summed(counts: Mapping[str, int]) -> str:
    """Return counts as text: `20 int8, 44 fp32`."""
    return ", ".join(f"{count} {name}" for name, count in Counter(counts).most_common())
