"""Running what OpenVINO compiled ahead of time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from mien.engine.backends import openvino
from mien.engine.cache import fingerprint
from mien.engine.engine import Engine
from mien.engine.manifest import Manifest
from mien.errors import CorruptError, ResourceError

FILE: Final = "model.blob"
BACKEND: Final = "openvino"


def load(folder: Path, found: Manifest, threads: int) -> Engine:
    """Load what was compiled, with the names of axes that the model had.

    Raises `CorruptError` when the file is not the one that was written, and `ResourceError` when OpenVINO
    does not take it on this processor.
    """
    about = found.plan or {}
    file = folder / str(about.get("file", FILE))
    if not file.is_file() or fingerprint(file) != about.get("sha256"):
        raise CorruptError(f"{str(file)!r} is not the one that was written; {_again(found)}")
    try:
        return opened(file.read_bytes(), about, folder.name, threads)
    except ResourceError as error:
        raise ResourceError(f"{error}; {_again(found)}") from None


def opened(data: bytes, about: Mapping[str, Any], name: str, threads: int) -> Engine:
    """Load compiled bytes; `about`: the manifest's plan. Raises `ResourceError` when OpenVINO refuses."""
    return openvino.restore(
        data, name, threads=threads, axes=about.get("axes", {}), metadata=about.get("metadata", {})
    )


def _again(found: Manifest) -> str:
    return f"rebuild it with: {found.rebuild}"
