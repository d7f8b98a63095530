import pytest

from mien.avatar.build.person import FOLDER, parse_person, people, read_person
from mien.errors import InputError

AVA = (FOLDER / "ava.toml").read_text("utf-8")


def test_the_built_in_people_are_read():
    assert {"ava", "joe", "xiaoxiao"} <= set(people())
    assert len(people()) == 10
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
        (AVA.replace("beard = 0.0", 'beard = "full"'), r"\[beard\] is 'full'; write a number"),
        (AVA.replace("beard = 0.0", "beard = true"), "write a number"),
        (AVA.replace("albedo = [0.60, ", "albedo = ["), "write a list of 3 numbers"),
        (AVA.replace("brow_count = 440", "brow_count = 3.5"), "write a whole number"),
        (AVA.replace("age = 0.60", "age = [1]"), "write a number"),
        (AVA.replace('style = "bob"', "style = 1"), "write text"),
        ("[", "is not TOML"),
    ],
)
def test_a_wrong_description_says_what_is_wrong(text, message):
    with pytest.raises(InputError, match=message):
        parse_person(text, "x")
