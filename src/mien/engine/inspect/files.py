"""Reading a validated model with the weights that lie beside it."""

from __future__ import annotations

from pathlib import Path

import onnx
from onnx import ModelProto

from mien.engine import graph


def read(path: Path) -> ModelProto:
    """Return a model whose file has been validated, with its external data."""
    model = graph.load(path)
    onnx.load_external_data_for_model(model, str(path.parent))
    return model
