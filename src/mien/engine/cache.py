"""Models made from models, written once: cutting or dequantising the same file again is a look-up."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock

from mien.errors import MissingError, ResourceError
from mien.home import home

if TYPE_CHECKING:
    from onnx import ModelProto

_BLOCK = 1 << 20


def folder() -> Path:
    """Return where engines are kept: `$MIEN_HOME/engines`, or `engines` in the user's cache folder."""
    return home() / "engines"


def fingerprint(source: Path) -> str:
    """Return the sha256 of a file's bytes, hex; raises `MissingError` when it can not be read."""
    digest = hashlib.sha256()
    try:
        with source.open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
    except OSError as error:
        raise MissingError(f"can not read model {str(source)!r}: {error.strerror}") from None
    return digest.hexdigest()


def derive(source: Path, recipe: str, build: Callable[[], Mapping[str, ModelProto]]) -> Path:
    """Return the folder of the models that `build` makes of `source`, building them only the first time.

    Each entry of the mapping becomes `NAME.onnx`. `recipe` names what is done and its version
    (`"piper-1"`): the folder is keyed by it and by the source's bytes. Several processes may ask at once:
    one builds, the others wait. Raises `ResourceError` when the folder can not be written.
    """
    target = folder() / f"{recipe}-{fingerprint(source)[:32]}"
    if target.is_dir():
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(target.with_suffix(".lock")):
            if not target.is_dir():
                _write(target, build())
    except OSError as error:
        raise ResourceError(
            f"can not write engines to {str(target.parent)!r}: {error.strerror}; make room or set MIEN_HOME"
        ) from None
    return target


def _write(target: Path, models: Mapping[str, ModelProto]) -> None:
    """Write all models aside, then give them their place in one rename."""
    with tempfile.TemporaryDirectory(prefix=".new-", dir=target.parent, ignore_cleanup_errors=True) as aside:
        whole = Path(aside) / "whole"
        whole.mkdir()
        for name, model in models.items():
            (whole / f"{name}.onnx").write_bytes(model.SerializeToString())
        whole.rename(target)
