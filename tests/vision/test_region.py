import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mien.vision.region import Region


def ramp(height: int, width: int) -> np.ndarray:
    """A picture whose red is x and whose green is y."""
    y, x = np.mgrid[:height, :width]
    return np.stack([x, y, 0 * x], 2).astype(np.uint8)


@given(
    x=st.floats(80, 120),
    y=st.floats(80, 120),
    size=st.floats(30, 90),
    angle=st.floats(-3.1, 3.1),
)
def test_a_cut_shows_what_to_picture_says(x: float, y: float, size: float, angle: float) -> None:
    region = Region(x, y, size, angle)
    cut = region.cut(ramp(200, 200), 32).astype(float)
    corner = (np.array([[5, 11]]) + 0.5) / 32
    expected = region.to_picture(corner)[0] - 0.5  # a pixel's colour is its own index
    assert np.abs(cut[11, 5, :2] - expected).max() < 1.6


def test_a_large_square_is_averaged_not_sampled() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (960, 960, 3), dtype=np.uint8)
    cut = Region(480, 480, 960, 0.0).cut(noise, 96)
    assert cut.std() < noise.std() / 3


def test_beyond_the_picture_its_edge_goes_on() -> None:
    picture = np.full((40, 40, 3), 7, np.uint8)
    assert (Region(0, 0, 60, 0.3).cut(picture, 32) == 7).all()
    assert (Region(500, -300, 60, 0.3).cut(picture, 32) == 7).all()


def test_around_turns_with_the_eyes() -> None:
    box = np.array([10, 20, 50, 40], np.float32)
    region = Region.around(box, np.array([0, 0]), np.array([1, 1]))
    assert (region.x, region.y, region.size) == (30, 30, 60)
    np.testing.assert_allclose(region.angle, np.pi / 4)


def test_towards_goes_part_of_the_way() -> None:
    assert Region(0, 0, 10, 0.0).towards(Region(10, 20, 20, 1.0), 0.5) == Region(5, 10, 15, 0.5)
