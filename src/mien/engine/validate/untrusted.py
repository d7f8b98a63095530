"""Validation in a child process: a file that breaks the parser breaks nothing else."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from mien.engine.sandbox import Outcome, call
from mien.engine.sandbox.call import UNKNOWN_FORM
from mien.engine.validate.checks import validate
from mien.engine.validate.file import look
from mien.engine.validate.finding import Finding, error
from mien.engine.validate.limits import STANDARD, Limits


def validate_untrusted(path: Path, limits: Limits = STANDARD) -> list[Finding]:
    """Return everything that is wrong with a model file; a child process reads it, within `limits`.

    A crash, a time-out or too much memory of the child is a finding.
    """
    if found := look(path, limits):
        return found
    memory = limits.memory_bytes(path.stat().st_size)
    outcome = call("validate", path, memory_bytes=memory, time_s=limits.time_s, limits=asdict(limits))
    if not outcome.failure:
        try:
            return [Finding.from_dict(fields) for fields in outcome.answer]
        except (KeyError, TypeError, ValueError):
            outcome = Outcome(failure=UNKNOWN_FORM)
    return [gave_up("looking at the file", outcome.failure)]


def gave_up(what: str, failure: str) -> Finding:
    """Return the finding for a child process that did not answer."""
    remedy = "do not trust the file; if you do, inspect it with --trusted"
    return error("stopped", f"the process {what} gave up: {failure}", remedy)


def task(path: Path, *, limits: dict[str, Any]) -> list[dict[str, str]]:
    """Validate in the child."""
    return [finding.to_dict() for finding in validate(path, Limits(**limits))]
