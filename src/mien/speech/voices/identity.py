"""What a voice's sound depends on."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import mien
from mien import packs
from mien.speech.voices.spec import VoiceSpec

_FORMAT: Final = 1  # of kept sound: raise it when the same voice would say the same text otherwise


def identity(spec: VoiceSpec) -> str | None:
    """Return a name that changes with the voice, its files and mien's version; None for a remote voice.

    Raises `MissingError` for a pack that is not there.
    """
    if spec.kind not in ("piper", "kokoro"):
        return None
    own = spec.option("name")
    pack = "kokoro" if spec.kind == "kokoro" else f"voice-{own}"
    seen = [repr(spec), mien.__version__, str(_FORMAT)]
    seen += [_file(Path(str(path))) for path in (spec.option("path"), spec.option("model")) if path]
    if own:
        seen.append((packs.path(pack) / "pack.json").read_text("utf-8"))
    name = own or Path(str(spec.option("path"))).stem
    return f"{spec.kind}-{_plain(str(name))}-{hashlib.sha256('|'.join(seen).encode()).hexdigest()[:16]}"


def together(own: str, others: Mapping[str, object]) -> str:
    """Return the name of a voice to which those of `others` belong, by what tells them apart."""
    seen = repr(sorted(others.items()))
    return f"{own}-{hashlib.sha256(seen.encode()).hexdigest()[:8]}" if others else own


def _file(path: Path) -> str:
    try:
        about = path.stat()
    except OSError:
        return str(path)
    return f"{path.resolve()} {about.st_size} {about.st_mtime_ns}"


def _plain(name: str) -> str:
    return "".join(c if c.isalnum() or c in "_.+" else "_" for c in name)[:40]
