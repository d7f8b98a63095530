"""Bare skin: its tone, the zones of a face, and what lies in it: freckles, age spots, moles."""

from __future__ import annotations

import numpy as np

from mien.avatar.build.canvas import Canvas
from mien.avatar.build.geometry import smoothstep
from mien.avatar.build.human import Doubles
from mien.avatar.build.layers import cover, tint
from mien.avatar.build.noise import cells, fractal_noise
from mien.avatar.build.person import Skin

FAIREST = 0.48  # luminance of a skin that hides nothing of the blood under it
MOLE = np.array([0.34, 0.24, 0.20])  # of the skin's colour
FRECKLES = ((42.0, (0.3, 0.95)), (80.0, (0.25, 0.5)))  # seeds per dm, and radii in mm
SPOTS = (11.0, (0.8, 2.6))
MILLIMETRE = 0.01  # dm


def melanin(looks: Skin) -> float:
    """Return how dark a skin is, 0 fair to 1 deep."""
    return float(np.clip(1 - np.dot(looks.albedo, (0.2126, 0.7152, 0.0722)) / FAIREST, 0, 1))


def complexion(canvas: Canvas, looks: Skin) -> Doubles:
    """Return the bare skin (N, 3): grainy, redder where blood is near, yellower on the forehead, darker
    around the eyes and at the sides; a darker skin varies more in depth and less in redness.
    """
    dark = melanin(looks)
    grain = (0.95 + 0.10 * canvas.coarse) * (0.955 + 0.09 * canvas.fine) * (0.965 + 0.07 * canvas.finest)
    albedo = np.array(looks.albedo) * grain[:, None]
    albedo = tint(albedo, (1.03, 0.93, 0.91), smoothstep(0.36, 0.62, canvas.mottling) * (1 - 0.4 * dark))
    albedo = tint(albedo, (0.90, 0.87, 0.85), (0.25 + 0.5 * dark) * smoothstep(0.50, 0.72, canvas.coarse))
    albedo = _blood(canvas, albedo, looks.redness * (1 - 0.55 * dark))
    albedo = tint(albedo, (1.015, 1.0, 0.94), smoothstep(0.25, 0.6, canvas.height))
    albedo = _shades(canvas, albedo, dark)
    pores = (1 - canvas.pores) * pore_zones(canvas)
    return tint(albedo, (0.89, 0.86, 0.84), looks.pores * pores)


def _blood(canvas: Canvas, albedo: Doubles, amount: float) -> Doubles:
    """Redden cheeks, nose, chin and ears, unevenly, with fine vessels."""
    cheek = canvas.spot(float(canvas.eye[0]) + 0.08, canvas.mouth_y + 0.34, 0.24, 0.20) * canvas.before(0.3)
    nose = canvas.spot(0, canvas.mouth_y + 0.36, 0.12, 0.12)
    nose *= smoothstep(canvas.nose_z - 0.35, canvas.nose_z, canvas.points[:, 2])
    x, y = canvas.face.nose_wing
    wing = canvas.spot(float(x), float(y), 0.05, 0.06) * canvas.before(0.5)
    chin = canvas.spot(0, canvas.mouth_y - 0.36, 0.20, 0.12) * canvas.before(0.5)
    ear = smoothstep(0.74, 0.84, canvas.across) * ((canvas.height > -0.9) & (canvas.height < 0.4))
    red = np.clip(0.85 * cheek + 0.75 * nose + 0.5 * wing + 0.35 * chin + 0.80 * ear, 0, 1)
    patchy = 0.55 + 0.9 * fractal_noise(canvas.points * 6.0 + 11.0, 3)
    vessels = smoothstep(0.58, 0.70, fractal_noise(canvas.points * 34.0, 3) + 0.12)
    albedo = tint(albedo, (1.05, 0.76, 0.73), np.clip(1.15 * amount * red * patchy, 0, 1))
    return tint(albedo, (1.04, 0.86, 0.84), 0.6 * amount * red * vessels)


def _shades(canvas: Canvas, albedo: Doubles, dark: float) -> Doubles:
    """Deepen the sockets of the eyes, the sides of the face and around the mouth, most on dark skins."""
    socket = canvas.spot(float(canvas.eye[0]), 0.01, 0.27, 0.15) * canvas.before(0.3)
    albedo = tint(albedo, (0.80, 0.74, 0.72), (0.22 + 0.5 * dark) * socket)
    sides = smoothstep(0.42, 0.72, canvas.across) * (1 - smoothstep(0.74, 0.84, canvas.across))
    albedo = tint(albedo, (0.88, 0.84, 0.82), (0.25 + 0.55 * dark) * sides)
    mouth = canvas.spot(0, canvas.mouth_y - 0.02, 0.30, 0.20) * canvas.before(0.5)
    return tint(albedo, (0.93, 0.90, 0.88), (0.3 + 0.6 * dark) * mouth)


def pore_zones(canvas: Canvas) -> Doubles:
    """Return where pores are seen (N,): most on the nose and the cheeks beside it, then on the forehead."""
    nose = canvas.spot(0, float(canvas.face.nose_tip[1]) + 0.06, 0.17, 0.17)
    cheek = canvas.spot(float(canvas.eye[0]) - 0.02, canvas.mouth_y + 0.30, 0.22, 0.22)
    brow, chin = (
        canvas.spot(0, 0.42, 0.42, 0.22),
        canvas.spot(0, float(canvas.face.chin[1]) + 0.08, 0.2, 0.14),
    )
    zones = np.clip(0.22 + 0.8 * nose + 0.75 * cheek + 0.4 * brow + 0.5 * chin, 0, 1)
    return np.asarray(zones * (1 - canvas.lips) * (1 - canvas.in_mouth))


def blemishes(canvas: Canvas, albedo: Doubles, looks: Skin) -> Doubles:
    """Lay freckles, age spots and moles on the skin."""
    face = canvas.spot(0, canvas.mouth_y + 0.42, 0.52, 0.42) * canvas.before(0.2)
    off = (1 - canvas.lips) * (1 - canvas.in_mouth)
    if looks.freckles > 0:
        amount = looks.freckles * np.clip(0.25 + face, 0, 1) * off
        large, small = (_specks(canvas, n, amount, radii) for n, radii in FRECKLES)
        albedo = tint(albedo, (0.72, 0.52, 0.40), 0.8 * large)
        albedo = tint(albedo, (0.82, 0.66, 0.55), 0.8 * small)
    if looks.spots > 0:
        edge = canvas.spot(0.48, -0.05, 0.26, 0.5) + smoothstep(0.3, 0.6, canvas.height)
        amount = looks.spots * np.clip(0.15 + edge, 0, 0.75) * off
        albedo = tint(albedo, (0.84, 0.72, 0.60), 0.8 * _specks(canvas, SPOTS[0], amount, SPOTS[1]))
    for x, y, radius in looks.moles:
        albedo = cover(albedo, np.array(looks.albedo) * MOLE, 0.9 * mole(canvas, x, y, radius))
    return albedo


def mole(canvas: Canvas, x: float, y: float, radius: float) -> Doubles:
    """Return a mole's disc (N,), by its place on the face (dm) and radius (mm)."""
    away = np.hypot(canvas.points[:, 0] - x, canvas.points[:, 1] - y) / MILLIMETRE
    return smoothstep(1.25 * radius, 0.65 * radius, away) * canvas.before(0.2)


def _specks(canvas: Canvas, per_dm: float, amount: Doubles, radii: tuple[float, float]) -> Doubles:
    """Return specks (N,) of `radii` mm: one in each cell at most, in a share `amount` of the cells."""
    ragged = (fractal_noise(canvas.points * per_dm * 3 + 5.0, 2) - 0.37) * 0.22
    away, seed = cells(canvas.points * per_dm)
    size = radii[0] + (radii[1] - radii[0]) * (seed * 7.31 % 1) ** 2
    q = (away + ragged) / (per_dm * MILLIMETRE) / size
    shown = smoothstep(0.0, 0.12, amount - seed) * (0.45 + 0.55 * (seed * 3.77 % 1))
    return np.asarray(shown * smoothstep(1.25, 0.55, q))
