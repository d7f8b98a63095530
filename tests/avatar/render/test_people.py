"""What must be true of the built-in people, seen through the renderer."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from mien.avatar.model import Avatar
from mien.avatar.render import Camera, SoftwareRenderer
from mien.face.pose import FacePose, weights

MAGENTA = (255, 0, 255)
SIZE = (256, 256)


@pytest.fixture(scope="module")
def face(person: Avatar) -> Iterator[SoftwareRenderer]:
    """The face alone fills the picture; what is not covered is magenta."""
    camera = Camera((0, -0.03, 1.15), (0, -0.035, 0.03), 0.16)
    with SoftwareRenderer(person, SIZE, camera=camera, background="#ff00ff") as renderer:
        yield renderer


FACES = [{}, {"jawOpen": 0.9}, {"mouthSmile": 0.8, "cheekSquint": 0.5}, {"mouthPucker": 1}, {"eyeBlink": 1}]


@pytest.mark.parametrize("named", FACES, ids=lambda named: "+".join(named) or "neutral")
@pytest.mark.parametrize("yaw", [-0.35, 0.0, 0.35])
def test_the_face_has_no_holes(face: SoftwareRenderer, named: dict[str, float], yaw: float) -> None:
    picture = face.render(FacePose(weights(named), np.array([yaw, 0, 0], np.float32)))
    middle = picture[60:230, 80:176]
    assert not (middle == MAGENTA).all(axis=-1).any()


@pytest.mark.parametrize("shape", [(256, 256), (320, 180), (144, 256)])
def test_the_portrait_shows_no_end_of_the_body_and_air_above(person: Avatar, shape: tuple[int, int]) -> None:
    with SoftwareRenderer(person, shape, background="#ff00ff") as renderer:
        clear = (renderer.render(FacePose()) == MAGENTA).all(axis=-1)
    assert clear[:2].all()
    assert not clear[-1, shape[0] // 4 : -shape[0] // 4].any()


def test_blinking_hides_the_eyes(face: SoftwareRenderer) -> None:
    open_, closed = (face.render(FacePose(weights({"eyeBlink": b}))) for b in (0, 1))
    rows = slice(40, 105)
    white = [((p[rows].min(axis=-1) > 150) & (np.ptp(p[rows], axis=-1) < 26)).sum() for p in (open_, closed)]
    assert white[0] > 40
    assert white[1] < white[0] * 0.1


def test_lips_are_closed_at_rest_and_open_with_the_jaw(face: SoftwareRenderer) -> None:
    """A dark slit between the lips is what a viewer takes for an open mouth."""

    def dark_rows(opening: float, level: float) -> int:
        picture = face.render(FacePose(weights({"jawOpen": opening})))
        rows = picture[150:225, 118:138].mean(axis=(1, 2))
        return int((rows < level * np.median(picture[60:150, 118:138])).sum())

    assert dark_rows(0.0, 0.38) <= 2  # the line where the lips meet, a millimetre at most
    assert dark_rows(0.5, 0.55) > dark_rows(0.0, 0.55) + 8  # of teeth, tongue and lips the light stays
