"""What of a person can be set by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mien.avatar import palette
from mien.avatar.build.person import people, read_person
from mien.avatar.fields import GROUPS, compose, field, fields, values_of
from mien.errors import InputError, MissingError


@pytest.fixture(scope="module", autouse=True)
def _pack():
    from mien import packs

    try:
        packs.path("human")
    except MissingError as error:
        pytest.skip(str(error))


def ends(of):
    return (of.low, of.high) if of.kind == "number" else of.choices


def test_keys_are_unique_and_groups_known():
    keys = [each.key for each in fields()]
    assert len(keys) == len(set(keys))
    assert {each.group for each in fields()} == set(GROUPS)


@pytest.mark.parametrize("of", fields(), ids=lambda of: of.key)
def test_every_end_of_every_field_makes_a_person(of):
    others = {"asian": 0.5} if of.key in ("african", "caucasian") else {"african": 0.5}
    for value in ends(of):
        got = values_of(compose({"like": "joe", **(others if of.key == "asian" else {}), of.key: value}))[
            of.key
        ]
        if of.kind == "color":
            assert got == palette.to_hex(of.color(value))
        elif of.kind == "choice":
            assert got == value
        elif of.key not in ("african", "asian", "caucasian"):  # shares of a sum
            assert got == pytest.approx(value, abs=0.06)


@pytest.mark.parametrize("name", people())
def test_a_preset_has_valid_values_and_is_itself(name):
    own = values_of(read_person(name))
    assert own.keys() == {each.key for each in fields()}
    assert all(field(key).check(value) == value for key, value in own.items())
    assert compose({"like": name}, name) == read_person(name)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"age": 7}, "age is 7; it must be from 16 to 90"),
        ({"age": float("nan")}, "age is nan"),
        ({"age": 10**400}, "age is 1000"),
        ({"age": True}, "age is True"),
        ({"age": "old"}, "age is 'old'; give a number from 16 to 90"),
        ({"nose_widht": 1}, "no field 'nose_widht'; did you mean 'nose_width'?"),
        ({"hair": "bobb"}, "no hair style 'bobb'; did you mean 'bob'?"),
        ({"skin": "#12345"}, "'#12345' is no colour"),
        ({"jacket": 3}, "jacket is 3; give a name"),
        ({"like": "avaa"}, "no avatar 'avaa'; did you mean 'ava'?"),
        ({"like": ["ava"]}, "no avatar"),
        ({"african": 0, "asian": 0, "caucasian": 0}, "the shares of ancestry are all 0"),
    ],
)
def test_a_value_that_is_not_valid_is_named(values, said):
    with pytest.raises(InputError) as refused:
        compose(values)
    assert said in str(refused.value)


def test_a_slider_moves_its_targets_and_nothing_else():
    plain, wide = compose({"like": "ava"}), compose({"like": "ava", "nose_width": 0.5})
    assert wide.targets["nose/nose-scale-horiz-incr"] == 0.5
    assert "nose/nose-scale-horiz-decr" not in wide.targets
    rest = {name for name in plain.targets if "nose-scale-horiz" not in name}
    assert all(wide.targets[name] == plain.targets[name] for name in rest)


@settings(max_examples=60)
@given(st.tuples(*[st.integers(0, 255)] * 3))
def test_hex_colours_come_back(rgb):
    text = "#" + bytes(rgb).hex()
    assert palette.to_hex(palette.parse(text)) == text
