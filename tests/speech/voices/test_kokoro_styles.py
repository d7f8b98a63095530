import numpy as np
import pytest

from mien.errors import CorruptError, InputError, MissingError
from mien.speech.voices import kokoro_styles
from mien.speech.voices.kokoro_styles import ROWS, WIDTH


@pytest.fixture
def folder(tmp_path):
    for name, value in {"af_one": 1.0, "af_two": 2.0}.items():
        np.full((ROWS, 1, WIDTH), value, np.float32).tofile(tmp_path / f"{name}.bin")
    return tmp_path


def test_a_vector_is_read_from_bin_and_npy(folder):
    np.save(folder / "own.npy", np.ones((ROWS, 1, WIDTH), np.float32))
    for name in ("af_one.bin", "own.npy"):
        styles = kokoro_styles.read(folder / name)
        assert styles.shape == (ROWS, WIDTH)
        assert (styles == 1.0).all()


@pytest.mark.parametrize(
    ("recipe", "value"), [("af_one", 1.0), ("af_one+af_two", 1.5), ("af_one:3 + af_two:1", 1.25)]
)
def test_blends_are_weighted_means(recipe, value, folder):
    np.testing.assert_allclose(kokoro_styles.blend(recipe, folder), value, rtol=1e-6)


@pytest.mark.parametrize(
    "recipe", ["", "af_one:", "af_one:x", "af_one:-1", "af_one:0", "+af_one", "af_one:nan"]
)
def test_wrong_recipes_are_refused(recipe, folder):
    if recipe == "af_one:":
        assert (kokoro_styles.blend(recipe, folder) == 1.0).all()
        return
    with pytest.raises(InputError, match="NAME:WEIGHT"):
        kokoro_styles.blend(recipe, folder)


def test_an_unknown_voice_names_the_nearest(folder):
    with pytest.raises(MissingError, match="no Kokoro voice 'af_ones'; did you mean 'af_one'"):
        kokoro_styles.blend("af_ones", folder)


def test_another_size_is_corrupt(folder):
    (folder / "bad.bin").write_bytes(b"1234")
    with pytest.raises(CorruptError, match=r"bad\.bin.* 4 bytes"):
        kokoro_styles.read(folder / "bad.bin")


def test_numbers_that_are_not_finite_are_corrupt(folder):
    np.full((ROWS, WIDTH), np.nan, np.float32).tofile(folder / "nan.bin")
    with pytest.raises(CorruptError, match="not finite"):
        kokoro_styles.read(folder / "nan.bin")


def test_an_npy_that_is_none_is_corrupt(folder):
    (folder / "no.npy").write_bytes(b"no array")
    with pytest.raises(CorruptError, match=r"no\.npy"):
        kokoro_styles.read(folder / "no.npy")
