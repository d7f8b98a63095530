"""Laws that every built-in person keeps, tried on shape alone: no light is baked, nothing is painted."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pytest
from scipy.spatial import cKDTree

from mien import packs
from mien.avatar.build.assemble import make_cast
from mien.avatar.build.depthmap import rasterise
from mien.avatar.build.draft import Cast, Draft
from mien.avatar.build.eyes import make_eyes
from mien.avatar.build.human import Human, read_human
from mien.avatar.build.landmarks import MOUTH_CORNER
from mien.avatar.build.lashes import POINTS, make_lashes
from mien.avatar.build.person import people, read_person
from mien.avatar.build.skin import Skin, make_skin
from mien.avatar.build.tears import make_tears

PIXEL = 0.003  # dm
HALF_X, HALF_Y = 240, 60  # pixels from between the eyes
BLINK = {"eyeBlinkLeft": 1.0, "eyeBlinkRight": 1.0}
LOOKS = {  # degrees right and up, and the lids that go with them
    "left": (15.0, 0.0, ("eyeLookOutLeft", "eyeLookInRight")),
    "right": (-15.0, 0.0, ("eyeLookInLeft", "eyeLookOutRight")),
    "up": (0.0, 10.0, ("eyeLookUpLeft", "eyeLookUpRight")),
    "down": (0.0, -11.0, ("eyeLookDownLeft", "eyeLookDownRight")),
}


@dataclass(frozen=True)
class Head:
    name: str
    cast: Cast
    skin: Skin
    eyes: list[Draft]


@pytest.fixture(scope="module")
def human() -> Human:
    return read_human(packs.path("human"))


@pytest.fixture(scope="module")
def heads(human: Human) -> dict[str, Head]:
    """All ten, shaped once."""
    made = {}
    for name in people():
        cast = make_cast(human, read_person(name))
        made[name] = Head(name, cast, make_skin(human, cast), make_eyes(cast))
    return made


@pytest.fixture(params=people())
def head(heads: dict[str, Head], request: pytest.FixtureRequest) -> Head:
    return heads[request.param]


def seen(parts: list[Draft], **pose: float) -> tuple[np.ndarray, np.ndarray]:
    """Return which of `parts` (-1 none) each pixel around the eyes shows from the front."""
    points = np.concatenate([part.posed(**pose) for part in parts])
    offsets = np.cumsum([0, *(len(part.positions) for part in parts)])
    triangles = np.concatenate([part.triangles + o for part, o in zip(parts, offsets, strict=False)])
    owners = np.repeat(np.arange(len(parts)), [len(part.triangles) for part in parts])
    pixels = np.stack([points[:, 0] / PIXEL + HALF_X, HALF_Y - points[:, 1] / PIXEL, -points[:, 2]], 1)
    _, nearest = rasterise(pixels, triangles, 2 * HALF_Y, 2 * HALF_X)
    return np.where(nearest >= 0, owners[nearest], -1), pixels


def eye_pixels(head: Head, **pose: float) -> int:
    shown, _ = seen([head.skin.draft, *head.eyes], **pose)
    return int((shown > 0).sum())


def test_open_eyes_are_seen_and_a_full_blink_hides_them(head):
    open_ = eye_pixels(head)
    assert open_ * PIXEL**2 > 0.018  # dm², both eyes: 90 mm² each at least
    assert eye_pixels(head, **BLINK) < 0.003 * open_
    assert 0.2 * open_ < eye_pixels(head, eyeBlinkLeft=0.5, eyeBlinkRight=0.5) < 0.9 * open_


def test_a_full_blink_hides_the_wet_rims(head, human):
    rims = make_tears(human, head.cast)
    parts = [head.skin.draft, *rims]
    open_, closed = ((seen(parts, **pose)[0] > 0).sum() for pose in ({}, BLINK))
    assert open_ * PIXEL**2 > 0.001
    assert closed < 0.1 * open_


def test_closed_lips_show_nothing_of_the_mouth(head):
    skin, shape = head.skin, head.skin.draft.positions
    top = head.cast.vertices[list(MOUTH_CORNER), 1].mean() + 0.2
    pixels = np.stack([(shape[:, 0] + 0.4) / PIXEL, (top - shape[:, 1]) / PIXEL, -shape[:, 2]], 1)
    _, owner = rasterise(pixels, skin.draft.triangles, 134, 267)
    inside = skin.in_mouth[skin.draft.triangles].any(axis=1)
    assert ((owner >= 0) & inside[owner]).sum() * PIXEL**2 < 0.0008  # dm²: 8 mm²


@pytest.mark.parametrize("look", LOOKS)
def test_lids_make_way_for_a_gaze_at_its_limit(head, look):
    yaw, pitch, units = LOOKS[look]
    shown, _ = seen([head.skin.draft, *head.eyes], **dict.fromkeys(units, 1.0))
    x, y = np.radians([yaw, pitch])
    axis = np.array([np.sin(x) * np.cos(y), np.sin(y), np.cos(x) * np.cos(y)])
    radius = np.linalg.norm(head.eyes[0].positions - head.cast.eyes[0], axis=1).max()
    for centre in head.cast.eyes:
        pupil = centre + radius * axis
        row, column = round(HALF_Y - pupil[1] / PIXEL), round(pupil[0] / PIXEL + HALF_X)
        assert shown[row, column] > 0, (head.name, look)


def test_no_quad_of_the_face_is_turned_inside_out(head, human):
    quads = human.faces["body"][:, :, 0]
    before, after = (normals(points, quads) for points in (human.vertices, head.cast.vertices))
    face = (human.vertices[quads][:, :, 1].mean(1) > 6.2) & (human.vertices[quads][:, :, 2].mean(1) > 1.0)
    face &= human.at_vertices("lips")[quads].max(1) < 0.2  # lips roll in where they meet
    turned = (before * after).sum(1) < -0.2
    assert turned[face].mean() < 0.006


def normals(points: np.ndarray, quads: np.ndarray) -> np.ndarray:
    a, b, c, d = (points[quads[:, k]] for k in range(4))
    across = np.cross(c - a, d - b)
    return across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-12)


def test_upper_lashes_turn_with_the_closing_lid(head, human):
    person = read_person(head.name)
    lashes = make_lashes(human, head.cast, person.strands, person.skin.albedo)
    count = person.strands.lash_upper_count
    open_, closed = (
        lashes.posed(**pose).reshape(-1, POINTS, 2, 3)[:count].mean(axis=2)
        for pose in ({}, {"eyeBlinkLeft": 1.0})
    )
    assert (open_[:, -1, 1] > open_[:, 0, 1]).mean() > 0.9  # they rise when the eye is open
    drop = (open_[:, -1, 1] - open_[:, 0, 1]) - (closed[:, -1, 1] - closed[:, 0, 1])
    assert np.median(drop) > 0.015  # and fall by 1.5 mm or more with the lid
    lengths = [np.linalg.norm(np.diff(path, axis=1), axis=2).sum(1) for path in (open_, closed)]
    assert np.allclose(*lengths, rtol=0.02)  # without growing or shrinking


def test_no_two_people_have_one_face(heads, human):
    """The faces' shapes, laid on each other at the eyes, differ by more than a millimetre and a fifth."""
    quads = human.faces["body"][:, :, 0]
    used = np.unique(quads)
    face = used[(human.vertices[used, 1] > 6.3) & (human.vertices[used, 2] > 1.1)]
    shapes = {}
    for name, head in heads.items():
        points = head.cast.vertices[face]
        shapes[name] = points - points.mean(axis=0)
    for a, b in combinations(shapes, 2):
        apart = np.sqrt(((shapes[a] - shapes[b]) ** 2).sum(axis=1).mean())
        assert apart > 0.012, (a, b, apart)


def test_a_face_is_a_little_uneven_and_no_more(heads, human):
    quads = human.faces["body"][:, :, 0]
    used = np.unique(quads)
    face = used[(human.vertices[used, 1] > 6.3) & (human.vertices[used, 2] > 1.1)]
    mirror = np.array([-1, 1, 1])
    _, other = cKDTree(human.vertices[face]).query(human.vertices[face] * mirror)
    for name, head in heads.items():
        points = head.cast.vertices[face]
        uneven = np.linalg.norm(points - points[other] * mirror, axis=1)
        assert 0.006 < uneven.max() < 0.06, name  # 0.6 to 6 mm
