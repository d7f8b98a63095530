"""The recipe that a file of mien's carries, so that it can be worn again as well as it was made."""

from __future__ import annotations

import hashlib

from mien.avatar.files.container import Source
from mien.avatar.files.document import Document, Json

KEY = "mien"


def add_recipe(document: Document, toml: str) -> None:
    """Put a person's recipe into the file, with a digest of the geometry it stands for; call it last."""
    about: Json = {"recipe": toml, "digest": _digest(document.binary)}
    document.json["asset"]["extras"] = {KEY: about}


def recipe_of(source: Source) -> str | None:
    """Return the recipe in a file; None when there is none, or when another program changed the head."""
    extras = source.root.table("asset").values.get("extras")
    about = extras.get(KEY) if isinstance(extras, dict) else None
    if not isinstance(about, dict) or not isinstance(about.get("recipe"), str):
        return None
    same = bool(source.buffers) and about.get("digest") == _digest(source.buffers[0])
    return about["recipe"] if same else None


def _digest(binary: bytes) -> str:
    return hashlib.sha256(binary).hexdigest()
