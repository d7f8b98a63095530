"""What a rig calls its morph targets: ARKit's names and Oculus visemes, however they are spelt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mien.avatar.correctives import is_corrective
from mien.face.pose import ARKIT_NAMES

VISEMES = ("sil", "PP", "FF", "TH", "DD", "kk", "CH", "SS", "nn", "RR", "aa", "E", "I", "O", "U")
_OTHER_VISEMES = {"ih": "I", "oh": "O", "ou": "U"}
_VISEMES = {name.lower(): name for name in VISEMES} | _OTHER_VISEMES
_PREFIXES = ("viseme", "v", "vis")


def key(name: str) -> str:
    """Return what is left of a name's spelling: small letters and digits."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _spellings() -> Iterator[tuple[str, str]]:
    for name in ARKIT_NAMES:
        yield key(name), name
        for side in ("Left", "Right"):
            if name.endswith(side) and name not in ("jawLeft", "jawRight", "mouthLeft", "mouthRight"):
                stem = key(name.removesuffix(side))
                yield stem + side[0].lower(), name
                yield side.lower() + stem, name


_ARKIT = dict(_spellings())


def tails(name: str) -> Iterator[str]:
    """Yield a name's key, then without what stands before each separator: `head.blendShape1_jawOpen`."""
    if is_corrective(name):
        return
    words = [word for word in re.split(r"[^A-Za-z0-9]+", name) if word]
    for start in range(len(words)):
        yield key("".join(words[start:]))


def arkit_name(name: str) -> str | None:
    """Return the ARKit name that a target stands for (`blendShape1.jaw_open`, `mouthSmile_L`), or None."""
    return next((_ARKIT[tail] for tail in tails(name) if tail in _ARKIT), None)


def viseme_name(name: str) -> str | None:
    """Return the Oculus viseme that a target's name stands for (`viseme_PP`, `vrc.v_aa`), or None."""
    words = [word for word in re.split(r"[^A-Za-z0-9]+", name) if word]
    if len(words) >= 2 and words[-2].lower() in _PREFIXES:
        return _VISEMES.get(words[-1].lower())
    joined = re.fullmatch(r"(?i)viseme([a-z]+)", words[-1]) if words else None
    return _VISEMES.get(joined[1].lower()) if joined else None
