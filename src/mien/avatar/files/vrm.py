"""Heads as VRM 1.0: a GLB with a humanoid's bones, expressions, eyes that look, and a licence.

`VRMC_vrm`, specification of the VRM Consortium. Bones that a head has no body for stand where a body's would,
since readers ask for them. Nothing is quantised or compressed: most readers of VRM know no such extension.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mien.atomic import write_bytes
from mien.avatar.files.document import Document, Json
from mien.avatar.files.extras import add_recipe
from mien.avatar.files.glb import BODY, HEAD, document_of
from mien.avatar.model import Avatar
from mien.face.pose import ARKIT_NAMES, weights

LICENCE = "https://vrm.dev/licenses/1.0/"
HEIGHT = 1.6  # metres of the eyes above the floor
GAZE = {"HorizontalInner": 15.0, "HorizontalOuter": 15.0, "VerticalDown": 11.0, "VerticalUp": 10.0}  # degrees
# Bones: what they hang on, and where they stand: metres from the eyes of a person of 1.7 m in T-pose.
_BONES: dict[str, tuple[str, tuple[float, float, float]]] = {
    "hips": ("", (0.0, -0.68, -0.08)),
    "spine": ("hips", (0.0, -0.56, -0.08)),
    **{
        f"{side}{bone}": (f"{side}{above}" if above[0].isupper() else above, (sign * x, y, -0.08))
        for side, sign in (("left", 1), ("right", -1))
        for bone, above, x, y in (
            ("UpperLeg", "hips", 0.09, -0.72), ("LowerLeg", "UpperLeg", 0.09, -1.13),
            ("Foot", "LowerLeg", 0.09, -1.53), ("UpperArm", "spine", 0.17, -0.26),
            ("LowerArm", "UpperArm", 0.43, -0.26), ("Hand", "LowerArm", 0.68, -0.26),
        )
    },
}  # fmt: skip
# The presets of VRM in ARKit weights; a name without Left or Right means both.
EXPRESSIONS: dict[str, dict[str, float]] = {
    "aa": {"jawOpen": 0.6, "mouthLowerDown": 0.15, "mouthUpperUp": 0.1},
    "ih": {"jawOpen": 0.2, "mouthSmile": 0.4, "mouthStretch": 0.25, "mouthLowerDown": 0.25},
    "ou": {"jawOpen": 0.15, "mouthFunnel": 0.3, "mouthPucker": 0.85},
    "ee": {
        "jawOpen": 0.32,
        "mouthStretch": 0.3,
        "mouthLowerDown": 0.3,
        "mouthUpperUp": 0.15,
        "mouthSmile": 0.15,
    },
    "oh": {"jawOpen": 0.42, "mouthFunnel": 0.6, "mouthPucker": 0.15},
    "blink": {"eyeBlink": 1.0},
    "blinkLeft": {"eyeBlinkLeft": 1.0},
    "blinkRight": {"eyeBlinkRight": 1.0},
    "happy": {"mouthSmile": 0.75, "cheekSquint": 0.5, "eyeSquint": 0.3, "mouthDimple": 0.15},
    "angry": {"browDown": 0.9, "noseSneer": 0.35, "mouthFrown": 0.4, "mouthPress": 0.4, "eyeSquint": 0.3},
    "sad": {"browInnerUp": 0.8, "mouthFrown": 0.65, "mouthShrugLower": 0.3, "eyeBlink": 0.12},
    "relaxed": {"mouthSmile": 0.35, "eyeSquint": 0.2, "eyeBlink": 0.1},
    "surprised": {"browInnerUp": 0.7, "browOuterUp": 0.8, "eyeWide": 0.7, "jawOpen": 0.28},
    "lookUp": {"eyeLookUp": 1.0},
    "lookDown": {"eyeLookDown": 1.0},
    "lookLeft": {"eyeLookOutLeft": 1.0, "eyeLookInRight": 1.0},
    "lookRight": {"eyeLookInLeft": 1.0, "eyeLookOutRight": 1.0},
    "neutral": {},
}
_SHARED = frozenset(ARKIT_NAMES) & frozenset(EXPRESSIONS)


def write(path: Path | str, avatar: Avatar, *, recipe: str = "") -> None:
    """Write a head as VRM 1.0, whole or not at all; `recipe`: see `glb.write`.

    Raises `ResourceError` when the file can not be written, `MissingError` without Pillow.
    """
    write_bytes(Path(path), encode(avatar, recipe=recipe))


def encode(avatar: Avatar, *, recipe: str = "") -> bytes:
    """Return a head as VRM 1.0."""
    document = document_of(avatar, quantise=False)
    bones = _stand(document)
    eyes = {side: _node(document, f"eye_{side.removesuffix('Eye')}") for side in ("leftEye", "rightEye")}
    bones |= {"head": HEAD, **{side: node for side, node in eyes.items() if node is not None}}
    document.json["extensions"] = {
        "VRMC_vrm": {
            "specVersion": "1.0",
            "meta": _meta(avatar),
            "humanoid": {"humanBones": {name: {"node": node} for name, node in bones.items()}},
            "expressions": _expressions(document),
            "lookAt": _look(avatar),
        }
    }
    document.json.setdefault("extensionsUsed", []).append("VRMC_vrm")
    if recipe:
        add_recipe(document, recipe)
    return document.encode()


def _node(document: Document, name: str) -> int | None:
    return next((i for i, node in enumerate(document.json["nodes"]) if node["name"] == name), None)


def _stand(document: Document) -> dict[str, int]:
    """Add the bones of a body that stands on the floor, with the head in its place; returns their nodes."""
    nodes, scene = document.json["nodes"], document.json["scenes"][0]
    first = len(nodes)
    numbers = {name: first + i for i, name in enumerate(_BONES)}
    for name, (above, place) in _BONES.items():
        offset = np.subtract(place, _BONES[above][1] if above else (0.0, -HEIGHT, 0.0))
        nodes.append({"name": name[0].upper() + name[1:], "translation": offset.round(6).tolist()})
        if above:
            nodes[numbers[above]].setdefault("children", []).append(numbers[name])
    nodes[BODY]["translation"] = [-value for value in _BONES["spine"][1]]
    nodes[numbers["spine"]]["children"].append(BODY)
    scene["nodes"] = [numbers["hips"], *(node for node in scene["nodes"] if node != BODY)]
    return numbers


def _meta(avatar: Avatar) -> Json:
    """Return the licence: mien's heads are made of CC0 data; what VRM declines by default stays declined."""
    return {
        "name": avatar.name,
        "version": "1",
        "authors": ["mien"],
        "copyrightInformation": avatar.credits,
        "licenseUrl": LICENCE,
        "avatarPermission": "everyone",
        "allowExcessivelyViolentUsage": False,
        "allowExcessivelySexualUsage": False,
        "commercialUsage": "corporation",
        "allowPoliticalOrReligiousUsage": False,
        "allowAntisocialOrHateUsage": False,
        "creditNotation": "unnecessary",
        "allowRedistribution": True,
        "modification": "allowModificationRedistribution",
    }


def _expressions(document: Document) -> Json:
    presets = {name: _expression(document, shape) for name, shape in EXPRESSIONS.items()}
    custom = {name: _expression(document, {name: 1.0}) for name in ARKIT_NAMES if name not in _SHARED}
    for name in ("blink", "blinkLeft", "blinkRight"):
        presets[name]["overrideBlink"] = "none"
    for name in ("happy", "angry", "sad", "relaxed", "surprised"):
        presets[name] |= {"overrideBlink": "blend", "overrideMouth": "blend"}
    return {"preset": presets, "custom": custom}


def _expression(document: Document, shape: dict[str, float]) -> Json:
    """Return an expression that moves the targets of `shape` on every mesh that has them."""
    binds = [
        {"node": number, "index": int(index), "weight": round(float(value), 4)}
        for number, node in enumerate(document.json["nodes"])
        if "mesh" in node and document.json["meshes"][node["mesh"]].get("weights")
        for index, value in enumerate(weights(shape))
        if value
    ]
    return {"isBinary": False, "morphTargetBinds": binds} if binds else {"isBinary": False}


def _look(avatar: Avatar) -> Json:
    offset = avatar.eye_centers.mean(axis=0) - avatar.pivot
    ranges = {f"rangeMap{name}": {"inputMaxValue": most, "outputScale": most} for name, most in GAZE.items()}
    return {"type": "bone", "offsetFromHeadBone": offset.round(6).tolist(), **ranges}
