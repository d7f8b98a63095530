"""`model.engine/`: a folder with `model.onnx` and its manifest, written whole or not at all."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from mien.atomic import refused
from mien.engine import blob
from mien.engine import manifest as manifests
from mien.engine.backends import onnxruntime
from mien.engine.cache import fingerprint
from mien.engine.engine import Engine
from mien.engine.importers import imported
from mien.engine.manifest import Manifest
from mien.errors import CorruptError, InputError, ResourceError

MODEL = "model.onnx"


def load(path: Path | str, options: onnxruntime.Options = onnxruntime.DEFAULTS) -> Engine:
    """Load an engine folder, which states itself how its weights are loaded, or a model.

    A model is an ONNX or TFLite file, or `package.module:factory` (PyTorch).

    Raises `MissingError`, `CorruptError` when the folder's model is not the one it was written with, and
    `ResourceError` when the engine does not fit this machine: which field differs, which command rebuilds.
    """
    path = Path(path)
    if not path.is_dir():
        return onnxruntime.load(imported(path).path, options)
    found = manifests.read(path)
    manifests.check(found, path)
    if fingerprint(path / MODEL) != found.model_sha256:
        raise CorruptError(
            f"the model in {str(path)!r} is not the one it was written with; rebuild it with: {found.rebuild}"
        )
    if found.backend["name"] == blob.BACKEND:
        return _in_openvino(path, found, options)
    folded = replace(options, fold_weights=bool(found.session.get("fold_weights")))
    return onnxruntime.load(path / MODEL, folded)


def _in_openvino(path: Path, found: Manifest, options: onnxruntime.Options) -> Engine:
    if options.device != "cpu":
        raise ResourceError(
            f"engine {str(path)!r} is OpenVINO's, for the CPU; it does not run on {options.device}"
        )
    return blob.load(path, found, options.threads or onnxruntime.usual_threads())


def check_place(path: Path) -> None:
    """Raise `InputError` where no engine may be written: on a file, or a folder that is none."""
    if path.is_file():
        raise InputError(f"can not write the engine to {path}: it is a file; name a folder")
    if path.is_dir() and any(path.iterdir()) and not (path / manifests.NAME).is_file():
        raise InputError(f"can not write the engine to {path}: it holds other files; name another folder")


def write(path: Path, model: bytes, manifest: Manifest, more: Callable[[Path], None]) -> None:
    """Write the engine beside its place, then move it there; an engine that was there goes last.

    `more` may add files to the folder. Raises `InputError` and `ResourceError`; nothing is left behind.
    """
    check_place(path)
    aside = path.absolute().with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    old = aside.with_suffix(".old")
    try:
        aside.mkdir()
        (aside / MODEL).write_bytes(model)
        (aside / manifests.NAME).write_text(manifest.to_json(), "utf-8")
        more(aside)
        if path.exists():
            path.rename(old)
        aside.rename(path)
    except OSError as error:
        raise refused(error, path) from None
    finally:
        if old.exists() and not path.exists():
            old.rename(path)
        shutil.rmtree(aside, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
