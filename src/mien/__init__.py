"""mien: a real-time digital human engine.

from mien import Persona

await Persona.load("ava").say("Hello", to="hello.mp4")
Persona.load("joe").say_sync("Hello", to="hello.mp4")
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mien.audio.pcm import Pcm
    from mien.errors import CorruptError, InputError, MienError, MissingError, ResourceError
    from mien.face.pose import ARKIT_NAMES, FacePose, FaceTrack
    from mien.persona import Chunk, Film, Persona, Said

__version__ = "0.1.0"

_HOMES = {
    "ARKIT_NAMES": "mien.face.pose",
    "Chunk": "mien.persona",
    "CorruptError": "mien.errors",
    "FacePose": "mien.face.pose",
    "FaceTrack": "mien.face.pose",
    "Film": "mien.persona",
    "InputError": "mien.errors",
    "MienError": "mien.errors",
    "MissingError": "mien.errors",
    "Pcm": "mien.audio.pcm",
    "Persona": "mien.persona",
    "ResourceError": "mien.errors",
    "Said": "mien.persona",
}

__all__ = [
    "ARKIT_NAMES",
    "Chunk",
    "CorruptError",
    "FacePose",
    "FaceTrack",
    "Film",
    "InputError",
    "MienError",
    "MissingError",
    "Pcm",
    "Persona",
    "ResourceError",
    "Said",
    "__version__",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import mien` stays light."""
    if name not in _HOMES:
        raise AttributeError(f"module 'mien' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
