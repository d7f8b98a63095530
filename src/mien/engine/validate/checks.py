"""All checks of a model in this process: first the file, then its bytes, then what it says."""

from __future__ import annotations

from itertools import chain, islice
from pathlib import Path

import onnx
from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from onnx import ModelProto

from mien.engine.validate.file import look
from mien.engine.validate.finding import Finding, error, warning
from mien.engine.validate.functions import check_functions
from mien.engine.validate.limits import STANDARD, Limits
from mien.engine.validate.names import check_names
from mien.engine.validate.operators import check_operators
from mien.engine.validate.tensors import check_tensors
from mien.engine.validate.wire import count


def validate(path: Path, limits: Limits = STANDARD) -> list[Finding]:
    """Return everything that is wrong with a model file; an empty list is a sound model.

    The file is parsed only when its size, its kind and a walk over its bytes allow it. Use
    `validate_untrusted` for a file from elsewhere: it does the same in a child process.
    """
    if found := look(path, limits):
        return found
    _, found = count(path, limits)
    if found:
        return found
    try:
        model = onnx.load_model_from_string(path.read_bytes())
    except DecodeError:
        return [error("broken-file", "protobuf can not parse the file", "fetch it again, or export again")]
    return validate_model(model, path.parent, limits)


def validate_model(model: ModelProto, folder: Path | None = None, limits: Limits = STANDARD) -> list[Finding]:
    """Return everything that is wrong with a parsed model; `folder` is where its external data lies."""
    found = chain(
        check_names(model),
        check_functions(model),
        check_operators(model),
        check_tensors(model, folder, limits),
    )
    kept = list(islice(found, limits.findings))
    if next(found, None) is not None:
        remedy = "resolve these first"
        kept.append(warning("more-findings", f"only the first {limits.findings} findings are shown", remedy))
    return sorted(kept, key=lambda finding: finding.severity != "error")
