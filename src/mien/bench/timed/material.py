"""What engines are measured with: the parts of the voice `joe`, and a latent that its first part made."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mien.engine import graph
from mien.engine.backends import onnxruntime
from mien.engine.inspect.generate import generate
from mien.engine.runtime import find

TEXT, VOCODER, KOKORO = "joe/text", "joe/vocoder", "kokoro/speech"
FRAMES: Final = 52  # of the latent: 0.6 s of speech, the window that a stream decodes with its context


def vocoder() -> Path:
    """Return the vocoder's file; raises `MissingError` without the pack."""
    return find(VOCODER)


def latent(frames: int = FRAMES) -> NDArray[np.float32]:
    """Return what the vocoder takes, `(1, 192, frames)`: what the first part makes of some phonemes."""
    path = find(TEXT)
    made = onnxruntime.load(path).run(**generate(graph.load(path)))["latent"]
    places = np.arange(frames) % made.shape[2]
    return np.ascontiguousarray(made[:, :, places], np.float32)
