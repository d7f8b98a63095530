"""External data: weights in a file beside the model, inside its folder and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

from onnx import TensorProto

from mien.engine.validate.finding import Finding, error
from mien.engine.validate.limits import Limits
from mien.engine.validate.sizes import tensor_bytes

_INSIDE = "weights must lie in the model's folder; do not trust a file that reaches out of it"


@dataclass(frozen=True, slots=True)
class Reference:
    """Where a tensor's bytes lie: `length` bytes (None: to the end) from `offset` of file `location`."""

    location: str
    offset: int = 0
    length: int | None = None


def check_external(tensors: Sequence[TensorProto], folder: Path | None, limits: Limits) -> Iterator[Finding]:
    """Yield what is wrong with the places that tensors name; no data file is opened."""
    total = 0
    for tensor in tensors:
        try:
            reference = _reference(tensor)
        except ValueError:
            message = f"tensor {tensor.name!r} states its place in numbers that are none"
            yield error("external-data", message, "export again", tensor.name)
            continue
        found = list(_check_place(tensor.name, reference.location, folder))
        yield from found
        if folder is not None and not found:
            yield from _check_span(tensor, reference, (folder / reference.location).stat().st_size)
        total += reference.length or 0
    if total > limits.external_bytes:
        message = f"external data takes {total:,} bytes; the limit is {limits.external_bytes:,}"
        yield error("external-too-large", message, "split the model")


def _reference(tensor: TensorProto) -> Reference:
    entries = {entry.key: entry.value for entry in tensor.external_data}
    length = int(entries["length"]) if "length" in entries else None
    return Reference(entries.get("location", ""), int(entries.get("offset", 0)), length)


def _check_place(name: str, location: str, folder: Path | None) -> Iterator[Finding]:
    """Yield why a path may not be read: outside the folder, through a link, not there, no file."""
    windows, posix = PureWindowsPath(location), PurePosixPath(location)
    absolute = windows.drive or windows.root or posix.is_absolute()
    if not location or absolute or ".." in (*windows.parts, *posix.parts) or "\0" in location:
        message = f"tensor {name!r} takes its data from {location!r}, outside the model's folder"
        yield error("external-escape", message, _INSIDE, name)
    elif folder is None:
        message = f"tensor {name!r} lies in {location!r}, and the model came without a folder"
        yield error("external-missing", message, "give the model as a file in its folder", name)
    elif not (place := folder / location).resolve().is_relative_to(folder.resolve()):
        message = f"tensor {name!r}: {location!r} is a link out of the model's folder"
        yield error("external-escape", message, _INSIDE, name)
    elif not place.is_file():
        message = f"tensor {name!r} lies in {location!r}, which is not beside the model"
        yield error("external-missing", message, f"put {location!r} into the model's folder", name)


def _check_span(tensor: TensorProto, reference: Reference, available: int) -> Iterator[Finding]:
    needed = tensor_bytes(tensor)
    length = needed if reference.length is None else reference.length
    if reference.offset < 0 or reference.offset + length > available:
        message = (
            f"tensor {tensor.name!r} needs bytes {reference.offset:,} to {reference.offset + length:,} "
            f"of {reference.location!r}, which has {available:,}"
        )
        yield error("external-cut-short", message, "fetch the data file again", tensor.name)
    elif length != needed:
        message = f"tensor {tensor.name!r} needs {needed:,} bytes; the file states {length:,}"
        yield error("external-data", message, "export again", tensor.name)
