"""What VRM adds to glTF: a humanoid's bones, expressions, the range of the eyes, and a licence.

Versions 0.x (extension `VRM`) and 1.0 (`VRMC_vrm`), as their specifications by the VRM Consortium say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mien.avatar.files.fields import Table

BONES = ("head", "neck", "leftEye", "rightEye")
# The presets of 1.0, and what 0.x called them.
PRESETS = {
    "aa": "a", "ih": "i", "ou": "u", "ee": "e", "oh": "o", "blink": "blink", "blinkLeft": "blink_l",
    "blinkRight": "blink_r", "happy": "joy", "angry": "angry", "sad": "sorrow", "relaxed": "fun",
    "surprised": "surprised", "lookUp": "lookup", "lookDown": "lookdown", "lookLeft": "lookleft",
    "lookRight": "lookright", "neutral": "neutral",
}  # fmt: skip
_OLD = {old: new for new, old in PRESETS.items()}


@dataclass(frozen=True, slots=True)
class Bind:
    """An expression's share of one target: of a mesh (in 1.0 of a node), the target's index, its weight."""

    mesh: int
    node: int
    target: int
    weight: float


@dataclass(frozen=True, slots=True)
class Vrm:
    """`version`: "" without VRM. `expressions`: presets by their 1.0 names, others by their own.
    `reach`: what share of a gaze the eyes' bones turn.
    """

    version: str = ""
    bones: Mapping[str, int] = field(default_factory=dict)
    expressions: Mapping[str, tuple[Bind, ...]] = field(default_factory=dict)
    reach: float = 1.0
    title: str = ""
    licence: str = ""


def read_vrm(root: Table) -> Vrm:
    """Return what a file's VRM extension says; empty when it has none."""
    extensions = root.table("extensions")
    if "VRMC_vrm" in extensions:
        return _new(extensions.table("VRMC_vrm"))
    return _old(extensions.table("VRM")) if "VRM" in extensions else Vrm()


def _new(vrm: Table) -> Vrm:
    bones = {
        name: bone.whole("node") for name, bone in vrm.table("humanoid").items("humanBones") if name in BONES
    }
    expressions: dict[str, tuple[Bind, ...]] = {}
    for kind in ("preset", "custom"):
        for name, expression in vrm.table("expressions").items(kind):
            expressions[name] = tuple(
                Bind(-1, bind.whole("node"), bind.whole("index"), bind.number("weight", 1.0))
                for bind in expression.tables("morphTargetBinds")
            )
    look, meta = vrm.table("lookAt"), vrm.table("meta")
    scale = look.table("rangeMapHorizontalOuter")
    reach = scale.number("outputScale", 1.0) / max(scale.number("inputMaxValue", 1.0), 1e-6)
    known = ("avatarPermission", "commercialUsage", "creditNotation", "modification", "otherLicenseUrl")
    terms = [
        meta.text("licenseUrl"),
        "by " + ", ".join(meta.texts("authors")),
        meta.text("copyrightInformation"),
    ]
    terms += [f"{key}: {meta.text(key)}" for key in known if meta.text(key)]
    return Vrm("1.0", bones, expressions, min(reach, 1.0), meta.text("name"), _joined(terms))


def _old(vrm: Table) -> Vrm:
    bones = {
        bone.text("bone"): bone.whole("node", 0)
        for bone in vrm.table("humanoid").tables("humanBones")
        if bone.text("bone") in BONES and bone.values.get("node", -1) != -1
    }
    expressions: dict[str, tuple[Bind, ...]] = {}
    for group in vrm.table("blendShapeMaster").tables("blendShapeGroups"):
        preset, own = group.text("presetName", "unknown").lower(), group.text("name")
        expressions[_OLD.get(preset, own if preset in ("unknown", "") else preset)] = tuple(
            Bind(bind.whole("mesh"), -1, bind.whole("index"), bind.number("weight", 100.0) / 100)
            for bind in group.tables("binds")
            if bind.values.get("mesh", -1) != -1 and bind.values.get("index", -1) != -1
        )
    scale, meta = vrm.table("firstPerson").table("lookAtHorizontalOuter"), vrm.table("meta")
    reach = scale.number("yRange", 1.0) / max(scale.number("xRange", 1.0), 1e-6)
    known = ("allowedUserName", "commercialUssageName", "otherLicenseUrl", "otherPermissionUrl")
    terms = [
        meta.text("licenseName"),
        "by " + meta.text("author"),
        *(f"{k}: {meta.text(k)}" for k in known if meta.text(k)),
    ]
    return Vrm("0.x", bones, expressions, min(reach, 1.0), meta.text("title"), _joined(terms))


def _joined(terms: list[str]) -> str:
    return "; ".join(term for term in terms if term.strip() not in ("", "by"))
