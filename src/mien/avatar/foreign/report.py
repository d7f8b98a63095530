"""What `mien avatar check` says of a foreign head: what it has, what it lacks, what mien does instead."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mien.avatar.files.container import beside
from mien.avatar.foreign.fit import find_eyes
from mien.avatar.foreign.licence import UNKNOWN, licence
from mien.avatar.foreign.names import VISEMES
from mien.avatar.foreign.read import Rig, open_rig
from mien.avatar.foreign.vrm import PRESETS
from mien.errors import InputError

SPOKEN = ("jawOpen", "mouthClose", "mouthFunnel", "mouthPucker", "mouthSmileLeft", "mouthLowerDownLeft")
LIVELY = ("eyeBlinkLeft", "eyeBlinkRight", "browInnerUp", "browDownLeft")
WORDS = {"own": "its own", "visemes": "from its visemes", "instead": "from others", "none": "nothing"}


@dataclass(frozen=True, slots=True)
class Report:
    """`kind`: glTF, VRM 0.x or VRM 1.0. `arkit`: for each of the 52 names `own`, `visemes`, `instead` or
    `none`; `how`: of what it is made. `verdict`: good, usable, poor or unusable, and `advice` in words.
    """

    path: str
    kind: str
    made_by: str
    licence: str
    licence_known: bool
    file_bytes: int
    vertices: int
    triangles: int
    pictures: int
    arkit: Mapping[str, str]
    how: Mapping[str, str]
    oculus: tuple[str, ...]
    oculus_missing: tuple[str, ...]
    vrm: tuple[str, ...]
    vrm_missing: tuple[str, ...]
    eyes: str
    head: str
    verdict: str
    advice: str

    def to_json(self) -> str:
        """Return the report as JSON."""
        return json.dumps(dataclasses.asdict(self), indent=2, ensure_ascii=False)


def check(path: Path | str) -> Report:
    """Say what a foreign head has; raises what `read` raises for a file that is broken or refused."""
    path = Path(path)
    rig = open_rig(path)
    for _ in beside(rig.source):
        pass  # what it refers to is refused here as it would be when it is worn
    arkit, made_of = {name: how.kind for name, how in rig.plans.items()}, _how(rig)
    if {"leftEye", "rightEye"} <= rig.nodes.bones.keys():
        turned = [name for name, kind in arkit.items() if name.startswith("eyeLook") and kind == "none"]
        arkit |= dict.fromkeys(turned, "instead")
        made_of |= dict.fromkeys(turned, "the bones of the eyes")
    oculus = tuple(name for name in VISEMES if rig.targets.has(f"viseme:{name}"))
    vrm = tuple(name for name in PRESETS if rig.targets.has(f"vrm:{name}"))
    terms = licence(rig.source.root, rig.vrm)
    eyes = _eyes(rig, path)
    verdict, advice = _judge(arkit, eyes)
    root = rig.source.root
    return Report(
        path=str(path), kind=f"VRM {rig.vrm.version}" if rig.vrm.version else "glTF 2.0",
        made_by=root.table("asset").text("generator"), licence=terms, licence_known=terms != UNKNOWN,
        file_bytes=rig.source.size, vertices=sum(len(mesh.positions) for mesh in rig.meshes),
        triangles=sum(len(mesh.triangles) for mesh in rig.meshes), pictures=len(root.tables("images")),
        arkit=arkit, how=made_of, oculus=oculus,
        oculus_missing=tuple(name for name in VISEMES if name not in oculus), vrm=vrm,
        vrm_missing=tuple(name for name in PRESETS if name not in vrm), eyes=eyes,
        head=rig.nodes.names[rig.nodes.bones["head"]] if "head" in rig.nodes.bones else "",
        verdict=verdict, advice=advice,
    )  # fmt: skip


def _eyes(rig: Rig, path: Path) -> str:
    try:
        with np.errstate(all="ignore"):
            return find_eyes(rig.meshes, rig.nodes, rig.targets, path.name)[1]
    except InputError:
        return ""


def _how(rig: Rig) -> dict[str, str]:
    """Say for each target that the rig lacks of what it is made."""
    out = {}
    for name, how in rig.plans.items():
        if how.kind in ("visemes", "instead"):
            terms = sorted(how.terms, key=lambda term: -abs(term.share))
            told = [
                f"{term.share:.2g} {term.source}{f' ({term.side})' if term.side else ''}"
                for term in terms[:4]
            ]
            out[name] = " + ".join(told) + (" + ..." if len(terms) > len(told) else "")
    return out


def _judge(arkit: Mapping[str, str], eyes: str) -> tuple[str, str]:
    spoken = [name for name in SPOKEN if arkit[name] == "none"]
    still = [name for name in LIVELY if arkit[name] == "none"]
    own = sum(kind == "own" for kind in arkit.values())
    if not eyes or "jawOpen" in spoken:
        lacks = "no target opens its mouth" if eyes else "no face was found"
        return "unusable", f"{lacks}; export it with ARKit blendshapes or VRM expressions"
    if own >= 45 and not still:
        return "good", "it can do what mien's own heads do"
    if len(spoken) <= 2 and "eyeBlinkLeft" not in still:
        return (
            "usable",
            f"it speaks and blinks; {sum(k == 'none' for k in arkit.values())} of 52 targets stay still",
        )
    lacking = ", ".join(spoken + still)
    return "poor", f"it speaks stiffly: {lacking} stay still; export it with the 52 ARKit blendshapes"
