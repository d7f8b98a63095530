"""Names of languages."""

from __future__ import annotations


def base(language: str) -> str:
    """Return a language tag without its region, as ISO 639-1 where espeak-ng has a name of its own."""
    code = language.lower().replace("_", "-").split("-")[0]
    return "zh" if code in ("cmn", "yue") else code
