"""The table of `mien.avatar.fields`: every field with its range and what its ends mean."""

from __future__ import annotations

from mien.avatar.design import OLDEST, YOUNGEST, choices
from mien.avatar.fields import Field
from mien.avatar.palette import COLORS


def _pick(key: str, group: str, label: str) -> Field:
    return Field(key, group, label, "choice", choices=tuple(choices(key)))


def _color(key: str, group: str, label: str, of: str, path: str = "") -> Field:
    return Field(key, group, label, "color", choices=tuple(COLORS[of]), palette=of, path=path)


def _part(path: str, group: str, label: str, most: float = 1.0, least: float = 0.0) -> Field:
    return Field(path.replace(".", "_"), group, label, low=least, high=most, path=path)


def _shape(key: str, label: str, less: str, more: str, *words: str) -> Field:
    """A pair of targets; `words`: what the slider's ends are called, where they are not less and more."""
    ends = (words[0], words[1]) if words else ("less", "more")
    return Field(key, "face", label, low=-1.0, ends=ends, targets=(less, more))


def _sized(key: str, label: str, target: str, *words: str) -> Field:
    return _shape(key, label, f"{target}-decr", f"{target}-incr", *words)


TABLE: tuple[Field, ...] = (
    Field("age", "person", "Age", low=YOUNGEST, high=OLDEST, ends=("16 years", "90 years")),
    Field("gender", "person", "Gender", ends=("male", "female")),
    Field("african", "person", "African ancestry", ends=("none", "all")),
    Field("asian", "person", "Asian ancestry", ends=("none", "all")),
    Field("caucasian", "person", "Caucasian ancestry", ends=("none", "all")),
    Field("weight", "person", "Weight", ends=("thin", "heavy")),
    Field("muscle", "person", "Muscle", ends=("slight", "strong")),
    _sized("face_width", "Face width", "head/head-scale-horiz", "narrow", "wide"),
    _sized("face_height", "Face height", "head/head-scale-vert", "short", "long"),
    _sized("cheekbones", "Cheekbones", "cheek/?-cheek-bones", "flat", "high"),
    _sized("cheeks", "Cheeks", "cheek/?-cheek-volume", "hollow", "full"),
    _sized("jaw", "Jaw", "chin/chin-bones", "round", "square"),
    _sized("chin", "Chin", "chin/chin-prominent", "receding", "prominent"),
    _sized("chin_width", "Chin width", "chin/chin-width", "narrow", "wide"),
    _sized("nose_width", "Nose width", "nose/nose-scale-horiz", "narrow", "wide"),
    _sized("nose_length", "Nose length", "nose/nose-scale-vert", "short", "long"),
    _sized("nose_bridge", "Nose bridge", "nose/nose-hump", "scooped", "humped"),
    _shape("nose_tip", "Nose tip", "nose/nose-point-down", "nose/nose-point-up", "down", "up"),
    _sized("mouth_width", "Mouth width", "mouth/mouth-scale-horiz", "narrow", "wide"),
    _sized("upper_lip", "Upper lip", "mouth/mouth-upperlip-volume", "thin", "full"),
    _sized("lower_lip", "Lower lip", "mouth/mouth-lowerlip-volume", "thin", "full"),
    _shape("mouth_corners", "Corners of the mouth", "mouth/mouth-angles-down", "mouth/mouth-angles-up",
           "down", "up"),
    _shape("ears", "Ears", "ears/?-ear-wing-decr", "ears/?-ear-wing-incr", "close", "standing out"),
    _sized("neck_width", "Neck width", "neck/neck-scale-horiz", "slender", "thick"),
    _color("skin", "skin", "Skin tone", "skin"),
    _part("skin.redness", "skin", "Redness"),
    _part("skin.lines", "skin", "Lines"),
    _part("skin.pores", "skin", "Pores"),
    _part("skin.freckles", "skin", "Freckles"),
    _part("skin.spots", "skin", "Age spots"),
    _part("skin.under_eye", "skin", "Shadow below the eyes"),
    _part("skin.makeup", "skin", "Make-up"),
    _part("skin.lip_color", "skin", "Colour of the lips"),
    _part("skin.lip_gloss", "skin", "Gloss of the lips"),
    _color("eyes", "eyes", "Eye colour", "eyes"),
    Field("eyes_open", "eyes", "Lids", high=0.2, ends=("as shaped", "wider"), path="eyes.open"),
    Field("eye_size", "eyes", "Eye size", low=-1.0, ends=("small", "large"),
          targets=("eyes/?-eye-scale-decr", "eyes/?-eye-scale-incr")),
    Field("eye_corners", "eyes", "Outer corners", low=-1.0, ends=("down", "up"),
          targets=("eyes/?-eye-corner2-down", "eyes/?-eye-corner2-up")),
    Field("eye_bags", "eyes", "Bags", low=-1.0, targets=("eyes/?-eye-bag-decr", "eyes/?-eye-bag-incr")),
    Field("brows", "eyes", "Brows", low=-1.0, ends=("down", "raised"),
          targets=("eyebrows/eyebrows-angle-down", "eyebrows/eyebrows-angle-up")),
    Field("brow_thickness", "eyes", "Brow thickness", low=0.015, high=0.06, ends=("thin", "bushy"),
          path="strands.brow_thickness"),
    _part("strands.brow_grey", "eyes", "Grey in the brows"),
    Field("lashes", "eyes", "Lashes", low=0.3, high=1.2, ends=("short", "long"), path="strands.lash_upper"),
    _pick("hair", "hair", "Hair style"),
    _color("hair_color", "hair", "Hair colour", "hair"),
    _color("hair_tip", "hair", "Tips", "hair", "hair.tip"),
    _pick("beard", "beard", "Beard"),
    _color("beard_color", "beard", "Beard colour", "hair", "beard.color"),
    _part("beard.length", "beard", "Beard length", 2.0, 0.3),
    Field("stubble", "beard", "Shaved stubble", path="skin.beard"),
    _pick("glasses", "glasses", "Glasses"),
    _color("glasses_color", "glasses", "Frame", "cloth", "glasses.color"),
    _pick("outfit", "outfit", "Outfit"),
    _color("jacket", "outfit", "Outer colour", "cloth", "clothes.jacket"),
    _color("shirt", "outfit", "Inner colour", "cloth", "clothes.shirt"),
    _color("lapel", "outfit", "Collar and bands", "cloth", "clothes.lapel"),
)  # fmt: skip
