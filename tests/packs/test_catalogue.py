from __future__ import annotations

import pytest

from mien.errors import InputError
from mien.packs import catalogue


def test_groups_and_packs_come_once_each_in_order():
    assert [m.name for m in catalogue.select(["human", "core", "human"])] == ["human", "voice-joe"]


def test_all_is_every_pack(world):
    world.simple("mine")
    assert [m.name for m in catalogue.select(["all"])] == catalogue.names()
    assert "mine" in catalogue.names()


@pytest.mark.parametrize(("name", "near"), [("kokorro", "kokoro"), ("cor", "core"), ("Human", "human")])
def test_an_unknown_name_gets_the_nearest(name, near):
    with pytest.raises(InputError, match=f"no pack '{name}'; did you mean '{near}'"):
        catalogue.select([name])


def test_the_users_manifest_can_not_replace_a_built_in_one(world):
    world.simple("human")
    assert catalogue.manifest("human").title != "A pack"


def test_a_manifest_that_changes_is_read_again(world):
    world.simple("mine", {"a": b"1"})
    before = catalogue.manifest("mine").digest
    world.simple("mine", {"a": b"22"})
    assert catalogue.manifest("mine").digest != before
