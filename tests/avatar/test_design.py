from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mien.avatar import palette, recipe
from mien.avatar.build.person import people, read_person
from mien.avatar.design import Wishes, age_of, ancestry_of, choices, design
from mien.errors import InputError


@pytest.mark.parametrize("name", people())
def test_recipes_come_back(name):
    person = read_person(name)
    recipe.check(person)
    assert recipe.parse(recipe.to_toml(person), name) == person


def test_wishes_are_granted():
    wishes = Wishes(
        age=70, gender=0.8, ancestry={"asian": 0.7, "african": 0.3}, weight=0.6, hair="bob:grey",
        eyes="green", skin="#c99a7b",
    )  # fmt: skip
    person = design(wishes, "nan")
    body = person.phenotype
    assert (person.name, body.gender, body.weight) == ("nan", 0.8, 0.6)
    assert (body.asian, body.african, body.caucasian) == (0.7, 0.3, 0)
    assert person.hair.style == "bob"
    assert person.hair.root == palette.COLORS["hair"]["grey"]
    assert person.skin.albedo == pytest.approx((0.584, 0.323, 0.198), abs=0.002)
    assert person.eyes.iris_outer == palette.COLORS["eyes"]["green"]
    assert person.skin.lines > 0.5
    recipe.check(person)


def test_what_is_not_wished_is_the_presets():
    assert design(Wishes(like="kenji"), "kenji") == read_person("kenji")


def test_the_nearest_preset_is_taken():
    assert design(Wishes(age=62, gender=0, ancestry={"african": 1})).targets == read_person("kwame").targets


def test_skin_follows_ancestry():
    light = design(Wishes(ancestry={"caucasian": 1})).skin.albedo
    dark = design(Wishes(ancestry={"african": 1})).skin.albedo
    mixed = design(Wishes(ancestry={"african": 1, "caucasian": 1})).skin.albedo
    assert dark[0] < mixed[0] < light[0]


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        ({"like": "avva"}, "did you mean 'ava'"),
        ({"age": 3}, "from 16 to 90"),
        ({"age": float("nan")}, "from 16 to 90"),
        ({"gender": 1.2}, "gender is 1.2; it must be from 0 to 1"),
        ({"ancestry": {"asain": 1.0}}, "did you mean 'asian'"),
        ({"ancestry": {"asian": 0.0}}, "are all 0"),
        ({"ancestry": {"asian": -1.0}}, "from 0 to 1"),
        ({"hair": "bobb"}, "did you mean 'bob'"),
        ({"hair": "#12"}, "write it as #rrggbb"),
        ({"skin": "olivee"}, "did you mean 'olive'"),
        ({"eyes": "blu"}, "did you mean 'blue'"),
        ({"outfit": "blazzer"}, "did you mean 'blazer'"),
    ],
)
def test_what_can_not_be_granted_is_said(wishes, message):
    with pytest.raises(InputError, match=message):
        design(Wishes(**wishes))


@pytest.mark.parametrize("name", ["", "../me", "a*", "x" * 50])
def test_names_are_those_of_files(name):
    with pytest.raises(InputError, match="can not be called"):
        design(Wishes(), name)


@pytest.mark.parametrize("kind", ["hair", "hair color", "outfit", "beard", "glasses", "skin", "eyes"])
def test_there_are_choices(kind):
    assert len(choices(kind)) >= 3


@given(st.floats(16, 90), st.floats(16, 90))
def test_older_is_older(one, other):
    assert (age_of(one) <= age_of(other)) == (one <= other) or age_of(one) == age_of(other)


@given(st.dictionaries(st.sampled_from(["african", "asian", "caucasian"]), st.floats(0.01, 1), min_size=1))
def test_shares_of_ancestry_sum_up_to_one(shares):
    assert sum(ancestry_of(shares).values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"targets": {"../../../../etc/passwd": 1.0}}, "no target"),
        ({"targets": {"nose/nose-point-upp": 1.0}}, "did you mean"),
        ({"targets": {"nose/nose-point-up": 50.0}}, "from -2 to 2"),
        ({"strands": {"brow_count": 10**9}}, "brow_count is 1e"),
        ({"phenotype": {"age": 40.0}}, "age is 40"),
        ({"skin": {"albedo": (float("nan"), 0.5, 0.5)}}, "albedo is nan"),
        ({"phenotype": {"african": 0.0, "asian": 0.0, "caucasian": 0.0}}, "sums up to 0"),
    ],
)
def test_recipes_of_strangers_are_checked(change, message):
    person = read_person("ava")
    for key, value in change.items():
        if key != "targets":
            value = dataclasses.replace(getattr(person, key), **value)
        person = dataclasses.replace(person, **{key: value})
    with pytest.raises(InputError, match=message):
        recipe.check(person)


def test_a_long_recipe_is_refused():
    with pytest.raises(InputError, match="the most is"):
        recipe.parse("#" * 200_000, "long")
