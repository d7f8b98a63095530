"""The errors mien raises on purpose: each message says what, which value, what is valid and what to do."""

from __future__ import annotations

import difflib
import importlib
import os
import sys
from collections.abc import Iterable
from types import ModuleType


class MienError(Exception):
    """Root of every error that mien raises for its user; the message is one line."""


class InputError(MienError):
    """What was given (text, file, option, configuration) can not be used."""


class MissingError(MienError):
    """Something that is needed (pack, extra, voice, persona, file) is not there."""


class CorruptError(MienError):
    """A file, pack or model is not what it claims to be."""


class ResourceError(MienError):
    """The machine refused: disk full, no permission, out of memory, network."""


def nearest(value: str, valid: Iterable[str]) -> str:
    """Return `"; did you mean 'x'?"` when a valid name is close to `value`, else the list of valid names."""
    names = sorted(valid)
    close = difflib.get_close_matches(value.lower(), names, n=1, cutoff=0.5)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; valid: {', '.join(names)}" if names else ""


def require(module: str, *, extra: str) -> ModuleType:
    """Import an optional library, or raise `MissingError` naming the extra that brings it."""
    _keep_private()
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.split(".")[0] != module.split(".")[0]:
            raise
        raise MissingError(f"{module} is not installed; run: pip install 'mien[{extra}]'") from None


def _keep_private() -> None:
    """Keep libraries from telling their makers that they are used: they decide it when they are imported.

    ONNX Runtime would report to Microsoft, OpenVINO to Google Analytics, the hub's client to its hub.
    """
    for variable in ("ORT_DISABLE_TELEMETRY", "HF_HUB_DISABLE_TELEMETRY"):
        os.environ.setdefault(variable, "1")
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]  # None: not importable
