"""One report of a model file: findings, summary, dry run."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from mien.engine.inspect import dryrun, untrusted
from mien.engine.inspect.dryrun import DryRun
from mien.engine.inspect.summary import Summary
from mien.engine.package import MODEL
from mien.engine.sandbox import Outcome, call
from mien.engine.sandbox.call import UNKNOWN_FORM
from mien.engine.validate import Finding, Limits, errors
from mien.engine.validate.file import look
from mien.engine.validate.limits import STANDARD
from mien.engine.validate.untrusted import gave_up
from mien.errors import InputError, MissingError

_TIMES: Final = 16  # the file's size: the model, its copies in each pass, and ONNX Runtime's own
_FORM: Final = (KeyError, TypeError, ValueError, AttributeError)  # of an answer that is not ours


@dataclass(frozen=True, slots=True)
class Report:
    """What is known of a file: no summary when it has errors, no dry run when none was possible."""

    path: Path
    file_bytes: int
    findings: tuple[Finding, ...]
    summary: Summary | None = None
    dry_run: DryRun | None = None

    @property
    def ok(self) -> bool:
        """Whether the model may be run."""
        return not errors(self.findings)

    def to_json(self) -> str:
        """Return the report as JSON."""
        fields = {
            "path": str(self.path),
            "file_bytes": self.file_bytes,
            "ok": self.ok,
            "findings": [finding.to_dict() for finding in self.findings],
            "summary": asdict(self.summary) if self.summary else None,
            "passes": self.dry_run.to_dict() if self.dry_run else None,
        }
        return json.dumps(fields, indent=2, ensure_ascii=False)


def inspect(
    path: Path,
    *,
    trusted: bool = False,
    passes: bool = True,
    data: str | None = None,
    limits: Limits = STANDARD,
) -> Report:
    """Return what a model is, what is wrong with it and (with `passes`) what passes would do.

    `path` is an ONNX file or an engine's folder. A file that is not `trusted` is read by child processes
    only; their end of any kind is a finding. `data` (a `.npz`, or `random:4`): what passes are checked on,
    else inputs are made up. Raises `MissingError` when there is no file, `InputError` for samples that do
    not fit.
    """
    if (path / MODEL).is_file():
        path = path / MODEL
    if found := look(path, limits):
        if not path.is_file():
            raise MissingError(f"{found[0].message}; {found[0].remedy}")
        return Report(path, path.stat().st_size, tuple(found))
    findings, summary = _first(path, trusted, limits)
    report = Report(path, path.stat().st_size, findings, summary)
    if not passes or summary is None:
        return report
    if data is not None and not data.startswith("random"):
        data = str(Path(data).absolute())
    dry, more = _second(path, trusted, limits, data)
    return Report(path, report.file_bytes, (*findings, *more), summary, dry)


def _first(path: Path, trusted: bool, limits: Limits) -> tuple[tuple[Finding, ...], Summary | None]:
    options = {"limits": asdict(limits)}
    if trusted:
        return _read(untrusted.task(path, **options))
    memory = limits.memory_bytes(path.stat().st_size)
    outcome = call("inspect", path, memory_bytes=memory, time_s=limits.time_s, **options)
    if not outcome.failure:
        try:
            return _read(outcome.answer)
        except _FORM:
            outcome = Outcome(failure=UNKNOWN_FORM)
    return (gave_up("looking at the file", outcome.failure),), None


def _read(answer: Any) -> tuple[tuple[Finding, ...], Summary | None]:
    found = tuple(Finding.from_dict(fields) for fields in answer["findings"])
    return found, Summary.from_dict(answer["summary"]) if answer["summary"] else None


def _second(
    path: Path, trusted: bool, limits: Limits, data: str | None
) -> tuple[DryRun | None, tuple[Finding, ...]]:
    if trusted:
        return _dry(dryrun.task(path, data)), ()
    memory = limits.memory_bytes(path.stat().st_size, times=_TIMES)
    outcome = call("passes", path, memory_bytes=memory, time_s=4 * limits.time_s, data=data)
    if not outcome.failure:
        try:
            return _dry(outcome.answer), ()
        except _FORM:
            outcome = Outcome(failure=UNKNOWN_FORM)
    return None, (gave_up("trying the passes", outcome.failure),)


def _dry(answer: Any) -> DryRun:
    """Return a child's dry run; raises `InputError` with what it says of the samples."""
    if refused := answer.get("refused"):
        raise InputError(str(refused))
    return DryRun.from_dict(answer)
