"""A diagnosis as files: JSON, and each smallest failing part as a model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from mien.atomic import refused, write_bytes
from mien.engine.diagnose.cause import Result
from mien.engine.diagnose.distribution import distribution, svg


def write(result: Result, folder: Path) -> list[Path]:
    """Write `diagnosis.json` and `part-1.onnx`, ...; nothing for a model that builds.

    Raises `ResourceError`. External data is not copied: a part that reads such weights names their file.
    """
    if result.builds:
        return []
    made = [_write(folder / "diagnosis.json", json.dumps(result.to_dict(), indent=2).encode())]
    for number, each in enumerate(result.diagnoses, 1):
        if each.part is not None:
            made.append(_write(folder / f"part-{number}.onnx", each.part.SerializeToString()))
    return made


def write_distribution(target: str, results: Sequence[Result], folder: Path) -> None:
    """Write `causes.json` and `causes.svg`; raises `ResourceError`."""
    found = distribution(target, results)
    table = {**found.to_dict(), "results": [each.to_dict() for each in results]}
    _write(folder / "causes.json", json.dumps(table, indent=2).encode())
    _write(folder / "causes.svg", svg(found).encode())


def _write(path: Path, data: bytes) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refused(error, path) from None
    write_bytes(path, data)
    return path
