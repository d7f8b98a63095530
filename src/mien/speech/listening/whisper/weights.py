"""The weights of a Whisper model as CTranslate2 stores them (`model.bin`, binary version 6)."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mien.contents import contents
from mien.errors import CorruptError

Floats = NDArray[np.float32]

_VERSION = 6
_SPEC = "WhisperSpec"
# CTranslate2's DataType: float32, int8, int16, int32, float16
_DTYPES: tuple[np.dtype[Any], ...] = tuple(np.dtype(name) for name in ("<f4", "i1", "<i2", "<i4", "<f2"))
_MAX_RANK = 4


@dataclass(frozen=True, slots=True)
class Weights:
    """A model's tensors by name, and the sizes that follow from them.

    `width`: of the residual stream; `heads`: of each attention; `mels`: bands of the spectrum; `positions`:
    of the encoder (50 a second); `context`: tokens that the decoder can hold.
    """

    tensors: Mapping[str, NDArray[Any]]
    encoder_layers: int
    decoder_layers: int
    width: int
    heads: int
    mels: int
    positions: int
    context: int
    vocabulary: int

    def __getitem__(self, name: str) -> Floats:
        """Return a tensor as float32; raises `CorruptError` when the model has none of that name."""
        if name not in self.tensors:
            raise CorruptError(f"the Whisper model holds no {name!r}; pull its pack again")
        return np.asarray(self.tensors[name], np.float32)


def read(path: Path) -> Weights:
    """Read `model.bin` with float weights. Raises `MissingError`, or `CorruptError` that names the file."""
    data = contents(path, "Whisper model", "pull its pack: mien packs pull listen")
    try:
        tensors = _tensors(data)
        return _sized(tensors)
    except (struct.error, ValueError, KeyError, IndexError) as error:
        raise CorruptError(
            f"{path} is no Whisper model of CTranslate2: {error}; pull its pack again"
        ) from None


def _sized(tensors: Mapping[str, NDArray[Any]]) -> Weights:
    heads = int(tensors["decoder/num_heads"])
    vocabulary, width = tensors["decoder/embeddings/weight"].shape
    if tensors["decoder/embeddings/weight"].dtype.kind != "f":
        raise ValueError("its weights are quantised, float32 or float16 can be read")
    if heads < 1 or width % heads:
        raise ValueError(f"{heads} heads do not divide a width of {width}")
    return Weights(
        tensors,
        encoder_layers=_layers(tensors, "encoder"),
        decoder_layers=_layers(tensors, "decoder"),
        width=width,
        heads=heads,
        mels=tensors["encoder/conv1/weight"].shape[1],
        positions=len(tensors["encoder/position_encodings/encodings"]),
        context=len(tensors["decoder/position_encodings/encodings"]),
        vocabulary=vocabulary,
    )


def _layers(tensors: Mapping[str, Any], side: str) -> int:
    return len({name.split("/")[1] for name in tensors if name.startswith(f"{side}/layer_")} - {"layer_norm"})


def _tensors(data: bytes) -> dict[str, NDArray[Any]]:
    reader = _Reader(data)
    version = reader.number("I")
    if version != _VERSION:
        raise ValueError(f"its format is version {version}, not {_VERSION}")
    spec = reader.text()
    if spec != _SPEC:
        raise ValueError(f"it holds a {spec[:40]!r}, not a {_SPEC!r}")
    reader.number("I")  # the revision of the specification
    return dict(reader.tensor() for _ in range(reader.number("I")))


class _Reader:
    """Takes little-endian values from bytes; what goes beyond their end is a `ValueError`."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def number(self, code: str) -> int:
        (value,) = struct.unpack_from("<" + code, self._data, self._at)
        self._at += struct.calcsize("<" + code)
        return int(value)

    def text(self) -> str:
        length = self.number("H")
        raw = self._data[self._at : self._at + length]
        self._at += length
        return raw.rstrip(b"\0").decode()

    def tensor(self) -> tuple[str, NDArray[Any]]:
        name, rank = self.text(), self.number("B")
        if rank > _MAX_RANK:
            raise ValueError(f"{name[:60]!r} has {rank} dimensions")
        shape = tuple(self.number("I") for _ in range(rank))
        dtype, size = _DTYPES[self.number("B")], self.number("I")
        values = np.frombuffer(self._data, dtype, size // dtype.itemsize, self._at)
        self._at += size
        return name, values.reshape(shape)
