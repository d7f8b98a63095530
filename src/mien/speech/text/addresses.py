"""Web and e-mail addresses as people say them."""

from __future__ import annotations

import re

_ADDRESS = re.compile(
    r"(?:https?://|www\.)[^\s<>\"，。！？；、）》」』]+"
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|\b(?:[a-z0-9-]+\.)+(?:com|org|net|io|ai|dev|edu|gov|app|cn|de|uk|eu|co|info|me)\b(?:/[\w./~-]*)?",
    re.ASCII,
)
_TAIL = re.compile(r"[.,;:!?)\]'…]+\Z")


def spoken_addresses(text: str, *, dot: str, slash: str, at: str, dash: str, underscore: str) -> str:
    """Return `text` with the signs of its addresses in words; scheme, query and fragment are not said."""
    names = {".": dot, "/": slash, "@": at, "-": dash, "_": underscore, "+": "+", "~": ""}

    def say(match: re.Match[str]) -> str:
        whole = match.group()
        tail = _TAIL.search(whole)
        end = tail.group() if tail else ""
        bare = whole[: len(whole) - len(end)]
        bare = re.sub(r"^https?://(?:www\.)?|^www\.", "", bare)
        bare = re.split(r"[?#]", bare)[0].rstrip("/")
        return re.sub(r"[./@_~-]", lambda sign: f" {names[sign.group()]} ", bare).strip() + end

    return _ADDRESS.sub(say, text)
