"""Whose a foreign head is, and what may be done with it, as far as its file says."""

from __future__ import annotations

from mien.avatar.files.fields import Table
from mien.avatar.foreign.vrm import Vrm

UNKNOWN = "not stated; ask whoever made it"
_WORDS = ("license", "licence", "author", "source", "title")


def licence(root: Table, vrm: Vrm) -> str:
    """Return the licence in words: VRM's meta, `asset.copyright`, what exporters add to `asset.extras`."""
    asset = root.table("asset")
    extras = (
        Table(asset.values["extras"], asset.where) if isinstance(asset.values.get("extras"), dict) else None
    )
    told = [vrm.licence]
    if (own := asset.text("copyright")) not in vrm.licence:
        told.append(own)
    if extras is not None:
        told += [
            f"{word}: {extras.values[word]}" for word in _WORDS if isinstance(extras.values.get(word), str)
        ]
    return "; ".join(part for part in told if part)[:600] or UNKNOWN
