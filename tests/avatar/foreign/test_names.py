from __future__ import annotations

import pytest

from mien.avatar.foreign.names import arkit_name, viseme_name
from mien.face.pose import ARKIT_NAMES


@pytest.mark.parametrize("name", ARKIT_NAMES)
def test_every_name_in_every_spelling(name):
    snake = "".join(f"_{c.lower()}" if c.isupper() else c for c in name)
    for spelt in (
        name,
        f"blendShape1.{name}",
        snake,
        name.upper(),
        name[0].upper() + name[1:],
        f"Face|{name}",
    ):
        assert arkit_name(spelt) == name, spelt


@pytest.mark.parametrize(
    ("spelt", "name"),
    [
        ("eyeBlink_L", "eyeBlinkLeft"), ("mouthSmile_R", "mouthSmileRight"), ("MouthLeft", "mouthLeft"),
        ("jaw_right", "jawRight"), ("Brow.Down.L", "browDownLeft"), ("leftEyeBlink", "eyeBlinkLeft"),
        ("smile", None),
    ],
)  # fmt: skip
def test_other_spellings(spelt, name):
    assert arkit_name(spelt) == name


@pytest.mark.parametrize(
    ("spelt", "name"),
    [
        ("viseme_PP", "PP"), ("viseme_sil", "sil"), ("vrc.v_aa", "aa"), ("visemeKK", "kk"), ("v_ou", "U"),
        ("viseme_oh", "O"), ("PP", None), ("aa", None), ("", None),
    ],
)  # fmt: skip
def test_visemes(spelt, name):
    assert viseme_name(spelt) == name


def test_a_corrective_is_no_target_of_its_own():
    assert arkit_name("mouthPucker*mouthSmileLeft") is None
