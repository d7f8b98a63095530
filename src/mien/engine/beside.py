"""What a target builds ahead of time, to lie beside the ONNX model."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from onnx import ModelProto

from mien.engine.inspect.summary import dtype_name


@dataclass(frozen=True, slots=True)
class Ahead:
    """The file that was built, operators as the backend runs them, facts for the manifest, and remarks."""

    file: str
    data: bytes
    executed: Mapping[str, int]
    about: Mapping[str, Any]
    notes: tuple[str, ...]

    def facts(self) -> dict[str, Any]:
        """Return what the manifest says of it."""
        digest = hashlib.sha256(self.data).hexdigest()
        return {"file": self.file, "sha256": digest, "bytes": len(self.data), **self.about}


def changed(model: ModelProto, inputs: Mapping[str, str], outputs: Mapping[str, str]) -> list[str]:
    """Say where a backend gave an input or output another element type than the model."""
    found = []
    for infos, theirs in ((model.graph.input, inputs), (model.graph.output, outputs)):
        for info in infos:
            wanted = dtype_name(info.type.tensor_type.elem_type)
            if (got := theirs.get(info.name, wanted)) != wanted:
                found.append(f"{info.name} is {wanted} in the model and {got} in what was built of it")
    return found
