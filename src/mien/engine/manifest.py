"""`manifest.json` of a compiled engine: where it comes from, what it contains, where it runs."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from mien.engine import machine
from mien.engine.backends import onnxruntime, openvino, tensorrt_rtx
from mien.engine.targets import Target
from mien.errors import CorruptError, MissingError, ResourceError

FORMAT = 1
NAME = "manifest.json"
_RUNS = {"onnxruntime": onnxruntime.version, "openvino": openvino.version}  # here, on the CPU


@dataclass(frozen=True, slots=True)
class Manifest:
    """All that is known of an engine.

    `key` stands for model, plan, backend, its version and the device. `command`: what builds it again.
    `precision`: nodes by precision, in the file; `executed`: operators as the backend runs them.
    `session`: how it must be loaded. `plan`: what was built ahead of time beside the model.
    """

    key: str
    source: Mapping[str, Any]
    model_sha256: str
    target: str
    backend: Mapping[str, str]
    device: Mapping[str, Any]
    command: tuple[str, ...]
    asked: str
    precision: Mapping[str, int]
    kept: Mapping[str, str]
    executed: Mapping[str, int]
    passes: tuple[Mapping[str, Any], ...] = ()
    calibration: Mapping[str, Any] | None = None
    check: Mapping[str, Any] | None = None
    speed_ms: Mapping[str, float] = field(default_factory=dict)
    size_bytes: Mapping[str, int] = field(default_factory=dict)
    budget: str | None = None
    trials: tuple[Mapping[str, Any], ...] = ()
    session: Mapping[str, bool] = field(default_factory=dict)
    plan: Mapping[str, Any] | None = None
    format: int = FORMAT

    def to_json(self) -> str:
        """Return the file's text."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False) + "\n"

    @property
    def rebuild(self) -> str:
        """The command line that builds the engine again."""
        return shlex.join(self.command)


def read(folder: Path) -> Manifest:
    """Read an engine's manifest; raises `MissingError` and `CorruptError`."""
    file = folder / NAME
    try:
        table = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise MissingError(
            f"{str(folder)!r} is no engine: it has no {NAME}; make one with mien compile"
        ) from None
    except OSError as error:
        raise ResourceError(f"can not read {str(file)!r}: {error.strerror}") from None
    except ValueError as error:
        raise CorruptError(f"{str(file)!r} is not JSON: {error}; compile the engine again") from None
    if not isinstance(table, dict) or table.get("format") != FORMAT:
        found = table.get("format") if isinstance(table, dict) else None
        raise CorruptError(f"{str(file)!r} has format {found}; this mien reads {FORMAT}; compile it again")
    known = {each.name for each in fields(Manifest)}
    made: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in table.items()
        if name in known
    }
    try:
        return Manifest(**made)
    except TypeError as error:
        raise CorruptError(f"{str(file)!r} is not complete: {error}; compile the engine again") from None


def place_of(target: Target) -> tuple[dict[str, str], dict[str, Any]]:
    """Return backend and device that a manifest states for a target; those of the CPU are this machine's."""
    if target.device != "cpu":
        device = {"kind": target.device, "compute_capabilities": list(target.compute_capabilities)}
        return {"name": target.backend, "version": tensorrt_rtx.version(target.backend)}, device
    own = target.backend == "openvino"  # what it compiles is for the instructions that are here
    return {"name": target.backend, "version": _RUNS[target.backend]()}, {
        "kind": "cpu",
        "architecture": machine.architecture(),
        "cpu_features": sorted(machine.cpu_features() if own else target.cpu_features),
        "processor": machine.processor(),
    }


def differences(manifest: Manifest) -> list[str]:
    """Return each field in which the engine does not fit this machine: what it wants and what is here.

    A backend's patch version and the processor's name may differ; its architecture and the instruction sets
    that the target needs may not.
    """
    wanted, found = manifest.device, {"kind": "cpu"}
    if wanted.get("kind") == "cpu":
        found["architecture"] = machine.architecture()
    lines = [
        f"device.{name}: built for {wanted.get(name)!r}, here {value!r}"
        for name, value in found.items()
        if wanted.get(name) != value
    ]
    if missing := sorted(set(wanted.get("cpu_features", ())) - machine.cpu_features()):
        lines.append(f"device.cpu_features: built for {', '.join(missing)}, not here")
    name = str(manifest.backend.get("name"))
    if name not in _RUNS:
        lines.append(f"backend.name: built for {name!r}, here {', '.join(map(repr, _RUNS))}")
    elif _minor(manifest.backend["version"]) != _minor(now := _RUNS[name]()):
        lines.append(f"backend.version: built with {manifest.backend['version']}, here {now}")
    return lines


def check(manifest: Manifest, folder: Path) -> None:
    """Raise `ResourceError` naming the differing fields and the command that rebuilds the engine."""
    if found := differences(manifest):
        raise ResourceError(
            f"engine {str(folder)!r} does not fit this machine: {'; '.join(found)}; "
            f"rebuild it with: {manifest.rebuild}"
        )


def _minor(version: str) -> list[str]:
    return version.split(".")[:2]
