import numpy as np

from mien.measure.watch import watch

from .photograph import talking

EMPTY = np.zeros((256, 256, 3), np.uint8)


def test_a_face_that_vanishes_leaves_a_gap() -> None:
    pictures = [talking(0.0), talking(0.2), EMPTY, EMPTY, talking(0.2), talking(0.0)]
    series = watch((i / 30, picture) for i, picture in enumerate(pictures))
    assert series.seen.tolist() == [True, True, False, False, True, True]
    aperture = series.in_mouths("aperture")
    assert np.isnan(aperture[2:4]).all()
    assert aperture[1] > aperture[0] + 0.04
    assert aperture[4] > aperture[5] + 0.04
    assert np.isnan(series.shake).all()  # no three pictures in a row show a face
    np.testing.assert_allclose(series.times_s, np.arange(6) / 30)


def test_change_is_nought_when_a_picture_repeats() -> None:
    series = watch(enumerate([talking(0.1), talking(0.1), talking(0.3), EMPTY[:128]]))
    assert series.change[:2].tolist() == [0, 0]
    assert series.change[2] > 0.1
    assert series.change[3] == 0  # another size: no difference to take


def test_no_picture_is_an_empty_series() -> None:
    series = watch([])
    assert len(series) == 0
    assert np.isnan(series.mouth_width)
