"""The skin's texture, painted in layers: complexion, beard, lids, brows, lips, mouth, lines, scalp."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mien.avatar.build.beard import stubble
from mien.avatar.build.brows import HEIGHT_AT, LINE, LINE_X
from mien.avatar.build.canvas import Canvas, make_canvas
from mien.avatar.build.complexion import blemishes, complexion, melanin
from mien.avatar.build.detail import lip_creases, normal_map, relief
from mien.avatar.build.draft import Cast
from mien.avatar.build.geometry import smoothstep
from mien.avatar.build.human import Doubles, Human
from mien.avatar.build.layers import cover, tint, to_srgb
from mien.avatar.build.noise import fractal_noise, value_noise
from mien.avatar.build.person import Person
from mien.avatar.build.person import Skin as SkinLooks
from mien.avatar.build.skin import Skin
from mien.avatar.build.texture import bleed, cover_texels
from mien.avatar.build.wrinkles import wrinkles

SIZE = 1024
MOUTH_COLOR = (0.40, 0.10, 0.095)
Picture = NDArray[np.uint8]


def paint(
    human: Human, cast: Cast, skin: Skin, scalp: Doubles, looks: Person, size: int = SIZE
) -> tuple[Picture, Picture]:
    """Return the texture (size, size, 4): sRGB albedo, and gloss in alpha; and the map of fine normals
    (size, size, 2). Row 0 is v = 1.

    `scalp` (V,): how high each skin vertex lies above the hairline, dm.
    """
    texels = cover_texels(skin.draft.uvs, skin.draft.triangles, size)
    canvas = make_canvas(human, cast, skin, scalp, texels)
    folds = wrinkles(canvas, looks.skin.lines)
    grown = np.stack([stubble(human, skin), stubble(human, skin, looks.beard.style)], 1)
    albedo = np.clip(_layers(canvas, looks, folds, texels.spread(grown)), 0, 1)
    shine = np.clip(gloss(canvas, looks.skin, folds), 0, 1)
    picture, covered = np.zeros((size, size, 4)), np.zeros((size, size), bool)
    picture[texels.where] = np.c_[to_srgb(albedo), shine]
    covered[texels.where] = True
    detail = normal_map(relief(canvas, looks.skin, folds), canvas, texels)
    return np.asarray(np.round(bleed(picture, covered) * 255), np.uint8), detail


def _layers(canvas: Canvas, looks: Person, folds: Doubles, grown: Doubles) -> Doubles:
    albedo = complexion(canvas, looks.skin)
    albedo = _beard(canvas, albedo, looks, grown)
    albedo = blemishes(canvas, albedo, looks.skin)
    albedo = _lids(canvas, albedo, looks.skin)
    albedo = _lash_line(canvas, albedo, looks)
    albedo = tint(albedo, (0.78, 0.66, 0.63), 0.75 * np.clip(folds, 0, 1))
    albedo = _brows(canvas, albedo, looks)
    albedo = _lips(canvas, albedo, looks.skin)
    albedo = _cavities(canvas, albedo)
    albedo = tint(albedo, (0.62, 0.46, 0.43), 0.7 * _corners(canvas))
    return _scalp(canvas, albedo, looks.skin)


def _beard(canvas: Canvas, albedo: Doubles, looks: Person, grown: Doubles) -> Doubles:
    """Shade stubble, and lay a beard's colour under its strands; `grown` (N, 2): how dense each is."""
    dots = 0.55 + 0.9 * canvas.finest
    albedo = tint(albedo, (0.80, 0.82, 0.85), looks.skin.beard * 0.7 * grown[:, 0] * dots)
    return cover(albedo, 0.85 * np.array(looks.beard.color), np.clip(0.7 * grown[:, 1] * dots, 0, 0.9))


def _eye_shadow(canvas: Canvas) -> Doubles:
    return canvas.spot(float(canvas.eye[0]) + 0.02, 0.095, 0.21, 0.060) * canvas.before(0.4)


def _lids(canvas: Canvas, albedo: Doubles, looks: SkinLooks) -> Doubles:
    dark = melanin(looks)
    around = canvas.spot(float(canvas.eye[0]), 0.02, 0.26, 0.13) * canvas.before(0.4)
    albedo = tint(albedo, (0.97, 0.86, 0.83), 0.35 * around * (1 - dark))
    below = canvas.spot(float(canvas.eye[0]) - 0.02, -0.135, 0.17, 0.055) * canvas.before(0.4)
    below += 0.7 * canvas.spot(float(canvas.face.inner_eye[0]) + 0.03, -0.10, 0.07, 0.07) * canvas.before(0.4)
    bluish = np.array([0.86, 0.80, 0.84]) + dark * (np.array([0.74, 0.70, 0.68]) - [0.86, 0.80, 0.84])
    albedo = tint(albedo, bluish, looks.under_eye * (1 - 0.4 * looks.makeup) * below)
    plain, made_up = np.array([0.9, 0.82, 0.8]), np.array([0.80, 0.66, 0.60])
    tone = plain + looks.makeup * (made_up - plain)
    albedo = tint(albedo, tone, 0.55 * (1 - 0.6 * looks.beard) * _eye_shadow(canvas))
    return tint(albedo, (0.70, 0.52, 0.46), (0.22 + 0.3 * looks.makeup) * canvas.lids)


def _lash_line(canvas: Canvas, albedo: Doubles, looks: Person) -> Doubles:
    """Darken the upper lid's edge, where lashes stand in several rows, and redden the eye's inner corner."""
    x, y = canvas.face.inner_eye
    albedo = tint(
        albedo, (0.82, 0.55, 0.52), 0.6 * canvas.spot(float(x), float(y), 0.03, 0.022) * canvas.before(0.4)
    )
    lined = np.exp(-((canvas.lash_line / (0.010 + 0.005 * looks.skin.makeup)) ** 2))
    dense = min(looks.strands.lash_upper_count / 130, 1.0) * (0.55 + 0.35 * looks.skin.makeup)
    return cover(albedo, np.array(looks.strands.lash_color), dense * lined)


def _brows(canvas: Canvas, albedo: Doubles, looks: Person) -> Doubles:
    """Lay a soft, streaky shade under the brows' hairs."""
    x = canvas.across - canvas.eye[0]
    along = np.interp(x, LINE_X, LINE)
    middle = np.interp(along, HEIGHT_AT, looks.strands.brow_heights)
    half = (0.042 - 0.028 * smoothstep(0.05, 0.3, x)) * looks.strands.brow_thickness / 0.033
    ends = smoothstep(-0.215, -0.12, x) * (1 - smoothstep(0.22, 0.31, x))
    shade = ends * np.exp(-(((canvas.height - middle) / half) ** 2)) * canvas.before(0.3)
    streaks = 0.75 + 0.5 * fractal_noise(canvas.points * [38, 110, 20], 2)
    return cover(albedo, np.array(looks.skin.brow_shade), 0.8 * np.clip(shade * streaks, 0, 1))


def _lip_mask(canvas: Canvas) -> Doubles:
    return smoothstep(0.10, 0.80, canvas.lips + 0.10 * (canvas.fine - 0.45))


def _lips(canvas: Canvas, albedo: Doubles, looks: SkinLooks) -> Doubles:
    """Paint the lips: creased, the upper one darker, paler towards the rim, a light ridge around them."""
    mask, dark = _lip_mask(canvas), melanin(looks)
    rim = smoothstep(0.02, 0.18, canvas.lips) * smoothstep(0.5, 0.2, canvas.lips)
    albedo = tint(albedo, (1.05, 1.04, 1.03), rim * (1 - looks.makeup))
    lower = smoothstep(-0.06, 0.06, canvas.mouth_y - canvas.height)
    tone = 0.93 + 0.14 * value_noise(canvas.points * [24, 14, 14])
    tone *= (0.84 - 0.14 * dark) + (0.20 + 0.22 * dark) * lower
    tone *= 1 - 0.20 * lip_creases(canvas)
    edge = 1 - 0.16 * smoothstep(0.95, 0.55, canvas.lips)
    return cover(albedo, np.array(looks.lips) * (tone * edge)[:, None], looks.lip_color * mask)


def _corners(canvas: Canvas) -> Doubles:
    """Return where the lips meet at their sides: deep, and wet by nothing that shines."""
    lips = canvas.points[(canvas.lips > 0.5) & (canvas.points[:, 2] > 0.5)]
    x, y, _ = lips[np.argmax(np.abs(lips[:, 0]))]
    return canvas.spot(abs(float(x)), float(y), 0.028, 0.020) * canvas.before(0.4)


def _cavities(canvas: Canvas, albedo: Doubles) -> Doubles:
    """Redden creases, where light has gone through flesh; paint the mouth's inside."""
    deep = 1 - smoothstep(0.15, 0.75, canvas.openness)
    albedo = tint(albedo, (0.92, 0.84, 0.82), deep)
    albedo = tint(albedo, (0.62, 0.45, 0.43), smoothstep(0.45, 0.12, canvas.openness) * canvas.lips)
    return cover(albedo, np.array(MOUTH_COLOR), canvas.in_mouth)


def _hair_shade(canvas: Canvas) -> Doubles:
    ragged = 0.03 * (canvas.finest - 0.5) + 0.05 * (value_noise(canvas.points * [9, 40, 9]) - 0.5)
    return smoothstep(-0.085, -0.01, canvas.scalp + ragged) * (1 - canvas.in_mouth)


def _scalp(canvas: Canvas, albedo: Doubles, looks: SkinLooks) -> Doubles:
    """Paint the scalp in the hair's colour, so that nothing bare shows between ribbons."""
    color = np.array(looks.scalp) * (0.8 + 0.4 * value_noise(canvas.points * [6, 6, 60]))[:, None]
    return cover(albedo, color, _hair_shade(canvas))


def gloss(canvas: Canvas, looks: SkinLooks, folds: Doubles) -> Doubles:
    """Return how glossy the skin is (N,): nose, forehead, lips and lids more than the rest, pores less."""
    shine = 0.36 + 0.18 * smoothstep(0.4, 0.0, canvas.across) * smoothstep(-0.2, 0.7, canvas.height)
    ridge = np.exp(-((canvas.across / 0.09) ** 2))
    shine += 0.22 * ridge * smoothstep(canvas.nose_z - 0.5, canvas.nose_z, canvas.points[:, 2])
    shine *= (0.55 + 0.45 * canvas.pores) * (1 - 0.3 * looks.lines) * (1 - 0.5 * np.clip(folds, 0, 1))
    lips = looks.lip_gloss * (1 - 0.45 * lip_creases(canvas))
    shine += (0.80 - shine) * lips * _lip_mask(canvas)
    shine = shine * (0.84 + 0.32 * canvas.fine) * (0.86 + 0.28 * canvas.finest) + 0.1 * _eye_shadow(canvas)
    return np.asarray(shine * (1 - 0.8 * _hair_shade(canvas)) * (1 - _corners(canvas)))
