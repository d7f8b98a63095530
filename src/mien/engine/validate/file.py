"""The first look at a file: its kind, its size and its first bytes."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

from mien.engine.validate.finding import Finding, error
from mien.engine.validate.limits import Limits

_HEAD = 512  # bytes

# What a file of another kind begins with (at the offset), what it is, and what to do.
_KINDS = (
    (0, b"PK\x03\x04", "a zip archive", "unpack it and give the .onnx file inside"),
    (0, b"\x1f\x8b", "a gzip archive", "unpack it with gunzip first"),
    (0, b"version https://git-lfs", "a Git LFS pointer, not the model itself", "run: git lfs pull"),
    (4, b"TFL3", "a TFLite model", "make an engine of it: mien compile"),
    (0, b"GGUF", "a GGUF model", "give the ONNX form of the model"),
    (0, b"\x89HDF", "an HDF5 (Keras) model", "export it to ONNX first"),
    (0, b"\x80\x02", "a Python pickle (PyTorch)", "export it with torch.onnx.export"),
    (0, b"<", "a web page or XML, not a model", "download the file itself"),
)


def look(path: Path, limits: Limits) -> list[Finding]:
    """Return why the file can not be an ONNX model, or nothing; reads at most 512 bytes."""
    try:
        status = path.stat()
    except OSError as refusal:
        why = (refusal.strerror or "not readable").lower()
        return [error("no-file", f"can not open {str(path)!r}: {why}", "give the path of an .onnx file")]
    if not stat.S_ISREG(status.st_mode):
        return [error("not-a-file", f"{str(path)!r} is a folder or a device", "give an .onnx file")]
    if status.st_size == 0:
        return [error("empty-file", "the file has 0 bytes", "fetch it again")]
    if status.st_size > limits.file_bytes:
        return [
            error(
                "file-too-large",
                f"the file has {status.st_size:,} bytes; the limit is {limits.file_bytes:,}",
                "keep the weights in an external data file beside the model",
            )
        ]
    return _kind(path)


def _kind(path: Path) -> list[Finding]:
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError as refusal:
        why = (refusal.strerror or "not readable").lower()
        return [error("no-file", f"can not read {str(path)!r}: {why}", "check who may read the file")]
    for offset, magic, kind, remedy in _KINDS:
        if head[offset:].startswith(magic):
            return [error("other-format", f"the file is {kind}", remedy)]
    if _is_text(head):
        return [error("other-format", "the file is text, not a model", "give the binary .onnx file")]
    return []


def _is_text(head: bytes, printable: Callable[[str], bool] = str.isprintable) -> bool:
    """Whether bytes are plain text; a model's first field is a byte that no text begins with."""
    try:
        text = head.decode("utf-8", errors="strict" if len(head) < _HEAD else "ignore")
    except UnicodeDecodeError:
        return False
    return all(printable(c) or c in "\r\n\t" for c in text)
