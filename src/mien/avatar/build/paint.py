"""The skin's texture, painted in layers: complexion, blush, beard, lids, brows, lips, mouth, scalp."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mien.avatar.build.brows import HEIGHT_AT, LINE, LINE_X
from mien.avatar.build.canvas import Canvas, make_canvas
from mien.avatar.build.draft import Cast
from mien.avatar.build.geometry import smoothstep
from mien.avatar.build.human import Doubles, Human
from mien.avatar.build.noise import value_noise
from mien.avatar.build.person import Color, Person
from mien.avatar.build.person import Skin as SkinLooks
from mien.avatar.build.skin import Skin
from mien.avatar.build.texture import bleed, cover

SIZE = 1024
MOUTH_COLOR = (0.40, 0.10, 0.095)


def paint(human: Human, cast: Cast, skin: Skin, scalp: Doubles, looks: Person) -> NDArray[np.uint8]:
    """Return the texture (1024, 1024, 4): sRGB albedo, and gloss in alpha. Row 0 is v = 1.

    `scalp` (V,): how high each skin vertex lies above the hairline, dm.
    """
    texels = cover(skin.draft.uvs, skin.draft.triangles, SIZE)
    canvas = make_canvas(human, cast, skin, scalp, texels)
    albedo = complexion(canvas, looks.skin)
    albedo = _beard(canvas, albedo, looks.skin)
    albedo = _lids(canvas, albedo, looks.skin)
    albedo = _brows(canvas, albedo, looks)
    albedo = _lips(canvas, albedo, looks.skin)
    albedo = _cavities(canvas, albedo)
    albedo = _tint(albedo, (0.5, 0.36, 0.33), 0.8 * _corners(canvas))
    albedo = _scalp(canvas, albedo, looks.skin)
    picture, covered = np.zeros((SIZE, SIZE, 4)), np.zeros((SIZE, SIZE), bool)
    picture[texels.where] = np.c_[to_srgb(np.clip(albedo, 0, 1)), np.clip(gloss(canvas, looks.skin), 0, 1)]
    covered[texels.where] = True
    return np.asarray(np.round(bleed(picture, covered) * 255), np.uint8)


def to_srgb(linear: Doubles) -> Doubles:
    """Return linear light [0, 1] as sRGB (IEC 61966-2-1)."""
    return np.where(
        linear <= 0.0031308, 12.92 * linear, 1.055 * np.maximum(linear, 0.0031308) ** (1 / 2.4) - 0.055
    )


def _tint(albedo: Doubles, factor: Color | Doubles, amount: Doubles | float) -> Doubles:
    """Multiply by a colour, to an amount (N,)."""
    return np.asarray(albedo * (1 + (np.array(factor) - 1) * np.reshape(amount, (-1, 1))))


def _cover(albedo: Doubles, color: Doubles, amount: Doubles) -> Doubles:
    """Lay a colour (3,) or (N, 3) over, to an amount (N,)."""
    return np.asarray(albedo + (color - albedo) * amount[:, None])


def complexion(canvas: Canvas, looks: SkinLooks) -> Doubles:
    """Return the bare skin (N, 3): grainy, redder where blood is near, yellower on the forehead."""
    grain = (0.96 + 0.08 * canvas.coarse) * (0.96 + 0.08 * canvas.fine) * (0.975 + 0.05 * canvas.finest)
    albedo = np.array(looks.albedo) * grain[:, None]
    albedo = _tint(albedo, (1.03, 0.95, 0.93), smoothstep(0.36, 0.62, canvas.mottling))
    cheek = canvas.spot(float(canvas.eye[0]) + 0.08, canvas.mouth_y + 0.34, 0.24, 0.20) * canvas.before(0.3)
    nose = canvas.spot(0, canvas.mouth_y + 0.36, 0.12, 0.12)
    nose *= smoothstep(canvas.nose_z - 0.35, canvas.nose_z, canvas.points[:, 2])
    chin = canvas.spot(0, canvas.mouth_y - 0.36, 0.20, 0.12) * canvas.before(0.5)
    ear = smoothstep(0.74, 0.84, canvas.across) * ((canvas.height > -0.9) & (canvas.height < 0.4))
    red = np.clip(0.80 * cheek + 0.75 * nose + 0.22 * chin + 0.80 * ear, 0, 1)
    albedo = _tint(albedo, (1.06, 0.80, 0.76), 0.75 * red)
    return _tint(albedo, (1.015, 1.0, 0.96), smoothstep(0.25, 0.6, canvas.height))


def _beard(canvas: Canvas, albedo: Doubles, looks: SkinLooks) -> Doubles:
    shade = smoothstep(canvas.mouth_y + 0.26, canvas.mouth_y - 0.02, canvas.height)
    shade = shade * smoothstep(-0.1, 0.35, canvas.points[:, 2]) * smoothstep(-1.25, -0.95, canvas.height)
    return _tint(albedo, (0.86, 0.87, 0.89), looks.beard * 0.6 * shade * (0.8 + 0.4 * canvas.fine))


def _eye_shadow(canvas: Canvas) -> Doubles:
    return canvas.spot(float(canvas.eye[0]) + 0.02, 0.095, 0.21, 0.060) * canvas.before(0.4)


def _lids(canvas: Canvas, albedo: Doubles, looks: SkinLooks) -> Doubles:
    around = canvas.spot(float(canvas.eye[0]), 0.02, 0.26, 0.13) * canvas.before(0.4)
    albedo = _tint(albedo, (0.97, 0.86, 0.83), 0.35 * around)
    below = canvas.spot(float(canvas.eye[0]) - 0.01, -0.135, 0.17, 0.05) * canvas.before(0.4)
    albedo = _tint(albedo, (0.93, 0.87, 0.88), (0.7 - 0.35 * looks.makeup) * below)
    plain, made_up = np.array([0.9, 0.82, 0.8]), np.array([0.80, 0.66, 0.60])
    tone = plain + looks.makeup * (made_up - plain)
    albedo = _tint(albedo, tone, 0.55 * (1 - 0.6 * looks.beard) * _eye_shadow(canvas))
    return _tint(albedo, (0.70, 0.52, 0.46), 0.40 * looks.makeup * canvas.lids)


def _brows(canvas: Canvas, albedo: Doubles, looks: Person) -> Doubles:
    """Lay a soft shade under the brows' hairs."""
    x = canvas.across - canvas.eye[0]
    along = np.interp(x, LINE_X, LINE)
    middle = np.interp(along, HEIGHT_AT, looks.strands.brow_heights)
    half = (0.042 - 0.028 * smoothstep(0.05, 0.3, x)) * looks.strands.brow_thickness / 0.033
    ends = smoothstep(-0.215, -0.15, x) * (1 - smoothstep(0.25, 0.31, x))
    shade = ends * np.exp(-(((canvas.height - middle) / half) ** 2)) * canvas.before(0.3)
    return _cover(albedo, np.array(looks.skin.brow_shade), 0.55 * shade)


def _lip_mask(canvas: Canvas) -> Doubles:
    return smoothstep(0.10, 0.75, canvas.lips + 0.06 * (canvas.fine - 0.45))


def _lips(canvas: Canvas, albedo: Doubles, looks: SkinLooks) -> Doubles:
    """Paint the lips with fine vertical lines, the upper one darker."""
    lines = 0.90 + 0.2 * value_noise(canvas.points * [60, 8, 6])
    lines *= 0.86 + 0.20 * smoothstep(-0.10, 0.06, canvas.mouth_y - canvas.height)
    return _cover(albedo, np.array(looks.lips) * lines[:, None], looks.lip_color * _lip_mask(canvas))


def _corners(canvas: Canvas) -> Doubles:
    """Return where the lips meet at their sides: deep, and wet by nothing that shines."""
    lips = canvas.points[(canvas.lips > 0.5) & (canvas.points[:, 2] > 0.5)]
    x, y, _ = lips[np.argmax(np.abs(lips[:, 0]))]
    return canvas.spot(abs(float(x)), float(y), 0.035, 0.028) * canvas.before(0.4)


def _cavities(canvas: Canvas, albedo: Doubles) -> Doubles:
    """Redden creases, where light has gone through flesh; paint the mouth's inside."""
    albedo = _tint(albedo, (0.92, 0.84, 0.82), 1 - smoothstep(0.15, 0.75, canvas.openness))
    return _cover(albedo, np.array(MOUTH_COLOR), canvas.in_mouth)


def _hair_shade(canvas: Canvas) -> Doubles:
    ragged = 0.03 * (canvas.finest - 0.5) + 0.05 * (value_noise(canvas.points * [9, 40, 9]) - 0.5)
    return smoothstep(-0.085, -0.01, canvas.scalp + ragged) * (1 - canvas.in_mouth)


def _scalp(canvas: Canvas, albedo: Doubles, looks: SkinLooks) -> Doubles:
    """Paint the scalp in the hair's colour, so that nothing bare shows between ribbons."""
    color = np.array(looks.scalp) * (0.8 + 0.4 * value_noise(canvas.points * [6, 6, 60]))[:, None]
    return _cover(albedo, color, _hair_shade(canvas))


def gloss(canvas: Canvas, looks: SkinLooks) -> Doubles:
    """Return how glossy the skin is (N,): nose, forehead, lips and lids more than the rest."""
    shine = 0.38 + 0.20 * smoothstep(0.4, 0.0, canvas.across) * smoothstep(-0.2, 0.7, canvas.height)
    ridge = np.exp(-((canvas.across / 0.09) ** 2))
    shine += 0.25 * ridge * smoothstep(canvas.nose_z - 0.5, canvas.nose_z, canvas.points[:, 2])
    shine += (0.80 - shine) * looks.lip_gloss * _lip_mask(canvas)
    shine = shine * (0.85 + 0.3 * canvas.fine) * (0.85 + 0.3 * canvas.finest) + 0.1 * _eye_shadow(canvas)
    return np.asarray(shine * (1 - 0.8 * _hair_shade(canvas)) * (1 - _corners(canvas)))
