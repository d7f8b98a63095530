from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from mien.avatar.model import Avatar
from mien.avatar.render import Camera, SoftwareRenderer
from mien.errors import CorruptError, InputError
from mien.face.pose import FacePose, weights

Picture = NDArray[np.uint8]
SIZE = (96, 96)
GOLDEN = Path(__file__).parent / "golden"


def pose(
    named: dict[str, float] | None = None, *, yaw: float = 0.0, pitch: float = 0.0, look: float = 0.0
) -> FacePose:
    gaze = np.array([[look, 0], [look, 0]], np.float32)
    return FacePose(weights(named or {}), np.array([yaw, pitch, 0], np.float32), gaze)


SPEAKING = pose({"jawOpen": 0.7, "eyeBlinkLeft": 1}, yaw=0.3, look=0.3)


@pytest.fixture(scope="module")
def renderer(toy: Avatar) -> SoftwareRenderer:
    return SoftwareRenderer(toy, SIZE)


def perceived(a: Picture, b: Picture) -> float:
    """Return the largest difference, in levels, of two pictures seen from afar (4 x 4 means)."""

    def far(picture: Picture) -> NDArray[np.float64]:
        height, width = picture.shape[:2]
        return picture.reshape(height // 4, 4, width // 4, 4, 3).mean(axis=(1, 3))

    return float(np.abs(far(a) - far(b)).max())


@pytest.mark.parametrize(("name", "wanted"), [("neutral", pose()), ("speaking", SPEAKING)])
def test_golden(renderer: SoftwareRenderer, name: str, wanted: FacePose) -> None:
    from PIL import Image

    with Image.open(GOLDEN / f"{name}.png") as file:
        golden = np.array(file)
    assert perceived(renderer.render(wanted), golden) < 6


def test_a_golden_picture_is_told_from_another(renderer: SoftwareRenderer) -> None:
    assert perceived(renderer.render(pose()), renderer.render(SPEAKING)) > 40


def test_the_same_pose_gives_the_same_bytes_from_any_number_of_threads(
    toy: Avatar, renderer: SoftwareRenderer
) -> None:
    first = renderer.render(SPEAKING)
    renderer.render(pose())
    assert (renderer.render(SPEAKING) == first).all()
    for threads in (1, 3):
        with SoftwareRenderer(toy, SIZE, threads=threads) as other:
            assert (other.render(SPEAKING) == first).all()


def test_frames_are_those_of_render_in_order(renderer: SoftwareRenderer) -> None:
    poses = [pose({"jawOpen": i / 8}, yaw=i / 30) for i in range(9)]
    for wanted, frame in zip(poses, renderer.frames(iter(poses)), strict=True):
        assert (renderer.render(wanted) == frame).all()


def test_frames_may_be_left_early(renderer: SoftwareRenderer) -> None:
    frames = renderer.frames(pose() for _ in range(100))
    first = next(frames)
    frames.close()  # type: ignore[attr-defined]
    assert (renderer.render(pose()) == first).all()


def test_several_threads_share_a_renderer(renderer: SoftwareRenderer) -> None:
    poses = [pose({"jawOpen": i / 6}, yaw=i / 20) for i in range(6)]
    expected = [renderer.render(each) for each in poses]
    got: dict[int, Picture] = {}
    workers = [
        threading.Thread(target=lambda i=i: got.update({i: renderer.render(poses[i])})) for i in range(6)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all((got[i] == expected[i]).all() for i in range(6))


def test_out_is_filled_and_returned(renderer: SoftwareRenderer) -> None:
    out = np.empty((96, 96, 3), np.uint8)
    assert renderer.render(pose(), out) is out
    assert (out == renderer.render(pose())).all()


@pytest.mark.parametrize("shape", [(96, 95, 3), (96, 96), (96, 96, 4)])
def test_out_of_another_shape_is_refused(renderer: SoftwareRenderer, shape: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="expected writable"):
        renderer.render(pose(), np.empty(shape, np.uint8))


@pytest.mark.parametrize("size", [(15, 96), (97, 96), (96, 8194), (0, 0)])
def test_a_size_that_can_not_be_is_refused(toy: Avatar, size: tuple[int, int]) -> None:
    with pytest.raises(InputError, match="picture size"):
        SoftwareRenderer(toy, size)


def test_no_threads_are_refused(toy: Avatar) -> None:
    with pytest.raises(InputError, match="threads"):
        SoftwareRenderer(toy, threads=0)


@pytest.mark.parametrize(
    "bad",
    [
        FacePose(weights=np.zeros(51, np.float32)),
        FacePose(weights=np.full(52, np.nan, np.float32)),
        FacePose(weights=np.full(52, 1e30, np.float32)),
        FacePose(head=np.array([0, np.inf, 0], np.float32)),
        FacePose(gaze=np.zeros(4, np.float32)),
    ],
)
def test_a_broken_pose_is_refused(renderer: SoftwareRenderer, bad: FacePose) -> None:
    with pytest.raises(InputError, match="pose"):
        renderer.render(bad)


def test_a_triangle_of_no_vertex_is_refused(toy: Avatar) -> None:
    from dataclasses import replace

    broken = replace(toy.parts[0], triangles=toy.parts[0].triangles + 10_000)
    with pytest.raises(CorruptError, match="outside 0 to"):
        SoftwareRenderer(replace(toy, parts=(broken,)))


def middle(picture: Picture, wanted: NDArray[np.bool_]) -> tuple[float, float]:
    """Return x and y of the centre of the pixels that are wanted."""
    y, x = np.nonzero(wanted)
    assert len(x)
    return float(x.mean()), float(y.mean())


def dark(picture: Picture, box: tuple[slice, slice]) -> NDArray[np.bool_]:
    return np.asarray(picture[box].max(axis=-1) < 75)


def test_positive_yaw_turns_to_the_characters_left(toy: Avatar) -> None:
    with SoftwareRenderer(toy, SIZE, camera=Camera((0, 0, 1), (0, 0, 0), 0.3)) as renderer:

        def brow(yaw: float) -> float:
            picture = renderer.render(pose(yaw=yaw))
            return middle(picture, dark(picture, (slice(34, 41), slice(0, 96))))[0]

        assert brow(0.25) > brow(0) + 2 > brow(-0.25) + 4  # the character's left is on the picture's right


def test_positive_pitch_looks_down(renderer: SoftwareRenderer) -> None:
    def lips(pitch: float) -> float:
        changed = np.abs(
            renderer.render(pose(pitch=pitch)).astype(int)
            - renderer.render(pose({"jawOpen": 1}, pitch=pitch))
        )
        return middle(changed, changed.max(axis=-1) > 30)[1]

    assert lips(0.2) > lips(0) > lips(-0.2)


def test_gaze_moves_the_iris_to_the_characters_left(toy: Avatar) -> None:
    camera = Camera((0, 0, 1), (0, 0, 0), 0.1)
    with SoftwareRenderer(toy, (128, 128), camera=camera) as renderer:

        def iris(look: float) -> float:
            picture = renderer.render(pose(look=look))
            box = (slice(48, 80), slice(80, 126))
            return middle(picture, dark(picture, box))[0]

        assert iris(0.35) > iris(0) + 2 > iris(-0.35) + 4


def test_a_blink_covers_the_iris(toy: Avatar) -> None:
    camera = Camera((0, 0, 1), (0, 0, 0), 0.1)
    with SoftwareRenderer(toy, (128, 128), camera=camera) as renderer:
        box = (slice(50, 78), slice(80, 126))
        assert dark(renderer.render(pose()), box).any()
        assert not dark(renderer.render(pose({"eyeBlink": 1})), box).any()


def test_a_moved_vertex_moves_the_picture_only_where_it_is(renderer: SoftwareRenderer) -> None:
    changed = (renderer.render(pose()) != renderer.render(pose({"jawOpen": 1}))).any(axis=-1)
    y, _ = np.nonzero(changed)
    assert changed.any()
    assert y.min() > 40


def test_planes_are_the_picture(renderer: SoftwareRenderer) -> None:
    from mien.avatar.render.canvas import to_planes

    planes = renderer.render_yuv(SPEAKING)
    assert planes.shape == (144, 96)
    assert (planes == to_planes(renderer.render(SPEAKING))).all()
    assert (next(renderer.frames_yuv([SPEAKING])) == planes).all()


def test_planes_in_a_row_are_those_of_single_ones(renderer: SoftwareRenderer) -> None:
    poses = [pose({"jawOpen": i / 8}, yaw=i / 30) for i in range(9)]
    for wanted, planes in zip(poses, renderer.frames_yuv(iter(poses)), strict=True):
        assert (renderer.render_yuv(wanted) == planes).all()


def test_alpha_is_coverage_and_colour_is_that_before_any_background(toy: Avatar) -> None:
    """Put over a colour, the clear picture is that drawn before the colour."""
    color = np.array([0, 177, 64])
    with (
        SoftwareRenderer(toy, SIZE, background="transparent") as clear,
        SoftwareRenderer(toy, SIZE, background="#00b140") as green,
    ):
        assert clear.transparent
        assert not green.transparent
        picture, wanted = clear.render(SPEAKING).astype(float), green.render(SPEAKING)
        alpha = picture[..., 3:] / 255
        assert set(np.unique(picture[..., 3])) == {0, 64, 128, 191, 255}
        assert np.abs(picture[..., :3] * alpha + color * (1 - alpha) - wanted).max() <= 2
        assert clear.render_yuv(SPEAKING).shape == (240, 96)


def test_wild_but_allowed_poses_stay_in_the_picture(toy: Avatar, renderer: SoftwareRenderer) -> None:
    for amount in (-10.0, 10.0):
        wild = FacePose(np.full(52, amount, np.float32), np.full(3, amount, np.float32))
        assert renderer.render(wild).shape == (96, 96, 3)


def test_the_camera_inside_the_head_does_no_harm(toy: Avatar) -> None:
    with SoftwareRenderer(toy, SIZE, camera=Camera((0, 0, 0.15), (0, 0, 0), 0.3)) as renderer:
        assert renderer.render(pose(yaw=0.5)).shape == (96, 96, 3)
