import pytest

from mien.avatar.build.person import FOLDER, parse_person, people, read_person
from mien.errors import InputError

AVA = (FOLDER / "ava.toml").read_text("utf-8")


def test_the_built_in_people_are_read():
    assert people() == ["ava", "joe"]
    assert read_person("ava").phenotype.gender == 1
    assert read_person("joe").phenotype.gender == 0


def test_an_unknown_person_names_the_nearest():
    with pytest.raises(InputError, match=r"no avatar 'eva'; did you mean 'ava'\?"):
        read_person("eva")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (AVA.replace("beard =", "bear ="), r"unknown key 'bear'; did you mean 'beard'\?"),
        (AVA.replace("beard = 0.0\n", ""), "has no 'beard'"),
        ("skin = 3\n" + AVA.replace("[skin]", "[skim]"), "skim"),
        ("phenotype = 3\n", "write a table"),
        ("[", "is not TOML"),
    ],
)
def test_a_wrong_description_says_what_is_wrong(text, message):
    with pytest.raises(InputError, match=message):
        parse_person(text, "x")
