"""The root causes, and a diagnosis: a cause with its place, its evidence and its remedy."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from onnx import ModelProto


class Cause(StrEnum):
    """Why a model does not build for a target."""

    OPERATOR = "operator"
    """The target has no such operator, or not this form of it."""
    SHAPE = "data-dependent shape"
    """The size or the number of axes of a tensor depends on values."""
    CONTROL = "control flow"
    """If, Loop, Scan or a sequence that the target can not run."""
    CUSTOM = "custom kernel"
    """An operator outside of ONNX whose kernel is not there."""
    MISMATCH = "type mismatch"
    """Two types meet where one is needed."""
    ELEMENT = "element type"
    """An element type that the target does not have."""
    ASYMMETRIC = "asymmetric quantisation"
    """A zero point that is not zero, or unsigned, on a symmetric target."""
    PROFILE = "missing profile"
    """A free axis whose range nobody gave."""
    KERNEL = "no implementation"
    """The operator is known, and there is no kernel for these types, sizes or attributes."""
    MEMORY = "memory"
    """Too little memory, or a limit on size."""
    VERSION = "version"
    """The file's IR version or operator set, or the library's version."""
    DRIVER = "driver"
    """The GPU's driver or runtime."""
    CORRUPT = "corrupt file"
    """Not a sound model."""
    CRASH = "library crash"
    """The library died or hung on it."""
    UNKNOWN = "not recognised"
    """None of the above could be shown."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """`node` is a name, or `#3` for a nameless node; empty when the cause is not at a node.

    `evidence` is the library's own message. `part`: the smallest part of the model that fails in the same
    way, None when there is none; `part_nodes` of `whole_nodes` nodes.
    """

    cause: Cause
    node: str
    operator: str
    code: str
    evidence: str
    remedy: str
    part: ModelProto | None = None
    part_nodes: int = 0
    whole_nodes: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON takes them, without the part itself."""
        names = ("cause", "node", "operator", "code", "evidence", "remedy", "part_nodes", "whole_nodes")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a model on a target: no diagnoses when it builds.

    `notes` say what was tried besides. The first diagnosis is the model's root cause.
    """

    path: Path
    target: str
    diagnoses: tuple[Diagnosis, ...]
    nodes: int = 0
    notes: tuple[str, ...] = ()

    @property
    def builds(self) -> bool:
        """Whether the target takes the model."""
        return not self.diagnoses

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON takes them."""
        return {
            "model": str(self.path),
            "target": self.target,
            "builds": self.builds,
            "nodes": self.nodes,
            "diagnoses": [each.to_dict() for each in self.diagnoses],
            "notes": list(self.notes),
        }
