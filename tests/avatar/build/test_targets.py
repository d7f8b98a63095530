"""Laws of the 52 targets, alone and together, on the shape of three people: no light, no paint."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.spatial import cKDTree

from mien import packs
from mien.avatar.build.assemble import make_cast
from mien.avatar.build.depthmap import rasterise
from mien.avatar.build.draft import Cast, Draft
from mien.avatar.build.eyes import make_eyes
from mien.avatar.build.geometry import vertex_normals
from mien.avatar.build.human import Human, read_human
from mien.avatar.build.landmarks import MOUTH_CORNER
from mien.avatar.build.mouth import make_teeth
from mien.avatar.build.person import read_person
from mien.avatar.build.skin import Skin, make_skin
from mien.avatar.build.tongue import make_tongue
from mien.avatar.correctives import drivers, is_corrective
from mien.face.pose import ARKIT_NAMES, weights

PEOPLE = ("xiaoxiao", "greta", "kwame")
PIXEL = 0.004  # dm
# The pairs and threes that speech with feeling shows most, each as strong as it gets there or stronger.
COMBINATIONS = (
    {"jawOpen": 0.5, "mouthLowerDown": 0.5},
    {"jawOpen": 0.5, "mouthUpperUp": 0.4},
    {"mouthLowerDown": 0.6, "mouthUpperUp": 0.5},
    {"mouthLowerDown": 0.6, "mouthStretch": 0.6},
    {"mouthUpperUp": 0.5, "mouthStretch": 0.6},
    {"jawOpen": 0.5, "mouthStretch": 0.6},
    {"jawOpen": 0.5, "mouthSmile": 0.6},
    {"mouthSmile": 0.6, "mouthStretch": 0.5},
    {"mouthSmile": 0.6, "mouthLowerDown": 0.5},
    {"mouthSmile": 0.6, "mouthUpperUp": 0.4},
    {"jawOpen": 0.4, "mouthPucker": 0.8},
    {"jawOpen": 0.4, "mouthFunnel": 0.6},
    {"mouthFunnel": 0.5, "mouthPucker": 0.8},
    {"mouthSmile": 0.6, "mouthPucker": 0.8},
    {"mouthFrown": 0.5, "jawOpen": 0.4},
    {"mouthPress": 0.4, "mouthRollLower": 0.3, "mouthRollUpper": 0.2},
    {"mouthRollLower": 0.6, "mouthUpperUp": 0.3, "jawOpen": 0.1},
    {"browDown": 0.8, "eyeSquint": 0.5, "noseSneer": 0.5},
    {"browInnerUp": 0.8, "browOuterUp": 0.7, "eyeWide": 0.6},
    {"cheekSquint": 0.5, "eyeSquint": 0.4, "mouthSmile": 0.6},
)
BLINKS = ("eyeSquint", "eyeWide", "eyeLookDown", "eyeLookUp", "cheekSquint", "mouthSmile")


def sided(pose: dict[str, float]) -> dict[str, float]:
    """Return a pose with both sides of each name spelt out."""
    return {name: float(w) for name, w in zip(ARKIT_NAMES, weights(pose), strict=True) if w}


@pytest.fixture(scope="module")
def human() -> Human:
    return read_human(packs.path("human"))


@pytest.fixture(scope="module", params=PEOPLE)
def head(human: Human, request: pytest.FixtureRequest) -> tuple[Cast, Skin, list[Draft]]:
    cast = make_cast(human, read_person(request.param))
    return cast, make_skin(human, cast), make_eyes(cast)


def area(parts: list[Draft], shown: np.ndarray, centre: np.ndarray, pose: dict[str, float]) -> float:
    """Return how much of the triangles `shown` (F,) a front view around a point (x, y) shows, dm²."""
    points = np.concatenate([part.posed(**pose) for part in parts])
    offsets = np.cumsum([0, *(len(part.positions) for part in parts)])
    triangles = np.concatenate([part.triangles + o for part, o in zip(parts, offsets, strict=False)])
    x, y = (points[:, :2] - centre).T / PIXEL
    _, nearest = rasterise(np.stack([x + 200, 90 - y, -points[:, 2]], 1), triangles, 180, 400)
    return float(((nearest >= 0) & shown[nearest]).sum()) * PIXEL**2


def of_eyes(parts: list[Draft]) -> np.ndarray:
    return np.repeat([False, True, True], [len(part.triangles) for part in parts])


@pytest.mark.parametrize("other", BLINKS)
def test_a_full_blink_closes_whatever_else_the_lids_do(head, other):
    cast, skin, eyes = head
    parts = [skin.draft, *eyes]
    middle = np.mean(cast.eyes, axis=0)[:2]
    open_ = area(parts, of_eyes(parts), middle, {})
    assert area(parts, of_eyes(parts), middle, sided({"eyeBlink": 1.0, other: 1.0})) < 0.01 * open_


def test_lips_stay_sealed_while_the_jaw_moves_behind_them(head):
    cast, skin, _ = head
    inside = skin.in_mouth[skin.draft.triangles].any(axis=1)
    mouth = cast.vertices[list(MOUTH_CORNER), :2].mean(axis=0)
    for jaw in (0.0, 0.2, 0.4, 0.6):
        seen = area([skin.draft], inside, mouth, {"jawOpen": jaw, "mouthClose": jaw})
        assert seen < 0.0015, jaw  # 15 mm²
    assert area([skin.draft], inside, mouth, {"jawOpen": 0.6}) > 0.02


def test_targets_of_left_and_right_mirror_each_other(human):
    units = {name: human.face_unit(name) for name in ARKIT_NAMES}
    used = np.unique(human.faces["body"][:, :, 0])
    flat = human.vertices[used]
    near, other = cKDTree(flat).query(flat * [-1, 1, 1])
    both = near < 1e-3
    for name in (n for n in ARKIT_NAMES if n.endswith("Left") and n not in ("jawLeft", "mouthLeft")):
        right = units[name.removesuffix("Left") + "Right"][used][other] * [-1, 1, 1]
        apart = np.linalg.norm(units[name][used] - right, axis=1)[both]
        assert np.percentile(apart, 99) < 0.05 * max(np.abs(right).max(), 0.05), name


def test_no_target_moves_anything_too_far(head):
    _, skin, _ = head
    for name, delta in skin.draft.morphs.items():
        assert np.linalg.norm(delta, axis=1).max() < 0.8, name  # dm: 45 mm times two jaws would be more


def test_correctives_mend_no_more_than_their_drivers_move(head):
    morphs = head[1].draft.morphs
    for name in filter(is_corrective, morphs):
        most = max(np.abs(morphs[driver]).max() for driver in drivers(name) if driver in morphs)
        assert np.abs(morphs[name]).max() <= max(most, 0.25) + 1e-9, name


@pytest.mark.parametrize("pose", COMBINATIONS, ids=lambda pose: "+".join(pose))
def test_few_faces_turn_inside_out(head, pose):
    _, skin, _ = head
    outside = ~skin.in_mouth[skin.draft.triangles].any(axis=1)
    assert turned(skin.draft, sided(pose))[outside].mean() < 0.004


def turned(skin: Draft, pose: dict[str, float]) -> np.ndarray:
    """Return which triangles (F,) face against the mean normal of their corners."""
    points = skin.posed(**pose)
    normals = vertex_normals(points, skin.triangles)[skin.triangles].mean(axis=1)
    a, b, c = (points[skin.triangles[:, k]] for k in range(3))
    return np.asarray((np.cross(b - a, c - a) * normals).sum(axis=1) < 0)


def corners(head: tuple[Cast, Skin, list[Draft]], **pose: float) -> np.ndarray:
    """Return the corners of the mouth (2, 3), left and right, in a pose."""
    cast, skin, _ = head
    near = [
        int(np.linalg.norm(skin.draft.positions - cast.vertices[v], axis=1).argmin()) for v in MOUTH_CORNER
    ]
    return np.asarray(skin.draft.posed(**sided(pose))[near])


def width(head: tuple[Cast, Skin, list[Draft]], **pose: float) -> float:
    left, right = corners(head, **pose)
    return float(left[0] - right[0])


def test_round_lips_stay_round_when_they_smile(head):
    rest, round_ = width(head), width(head, mouthPucker=1.0)
    assert round_ < 0.85 * rest
    assert width(head, mouthPucker=1.0, mouthSmile=1.0) < 0.86 * rest
    for one, two in product((0.0, 1.0), repeat=2):
        assert width(head, mouthPucker=one, mouthSmile=two) > 0.3 * rest


def test_an_open_jaw_does_not_draw_round_lips_to_a_point(head):
    assert width(head, mouthFunnel=1.0, jawOpen=1.0) > 0.95 * width(head, mouthFunnel=1.0)


def test_pressed_lips_lift_their_corners_less_over_an_open_jaw(head):
    def lifted(jaw: float) -> float:
        pressed, free = (corners(head, mouthPress=press, jawOpen=jaw)[:, 1].mean() for press in (1.0, 0.0))
        return float(pressed - free)

    assert lifted(0.0) > 0.02
    assert abs(lifted(1.0)) < 0.4 * lifted(0.0)


def test_teeth_show_where_the_lower_lip_meets_them(human):
    cast = make_cast(human, read_person("xiaoxiao"))
    skin, upper = make_skin(human, cast).draft, make_teeth(cast)[0]
    enamel = (upper.extra[upper.triangles, 0] == 0).all(axis=1)
    shown = np.concatenate([np.zeros(len(skin.triangles), bool), enamel])
    middle = cast.vertices[list(MOUTH_CORNER), :2].mean(axis=0)
    bite = {"mouthRollLower": 0.66, "mouthUpperUp": 0.26, "mouthShrugLower": 0.1, "jawOpen": 0.1}
    seen = area([skin, upper], shown, middle, sided(bite))
    assert 0.0015 < seen < 0.01  # 15 to 100 mm²


def test_a_tongue_between_the_teeth_and_one_that_is_all_out(human, head):
    cast, skin, _ = head
    tongue, (upper, lower) = make_tongue(human, cast), make_teeth(cast)
    tip = tongue.positions[:, 2].argmax()
    edge = upper.positions[upper.extra[:, 0] == 0, 1].min()
    between, out = tongue.posed(tongueOut=0.46), tongue.posed(tongueOut=1.0)
    assert lower.positions[:, 1].max() < between[tip, 1] + 0.05
    assert abs(between[tip, 2] - upper.positions[:, 2].max()) < 0.15
    mouth = np.abs(skin.draft.positions[:, 1] - cast.vertices[list(MOUTH_CORNER), 1].mean()) < 0.1
    assert out[tip, 2] > skin.draft.positions[mouth, 2].max() + 0.1
    assert out[tip, 1] < edge - 0.08
