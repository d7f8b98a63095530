"""People by chance."""

from mien.avatar.fields import compose
from mien.studio import chance


def test_the_same_seed_is_the_same_person():
    assert chance.values(7) == chance.values(7)
    assert chance.values(7) != chance.values(8)


def test_everyone_can_be_built_and_nobody_is_like_another(pack):
    drawn = [chance.values(seed) for seed in range(150)]
    for values in drawn:
        compose(values)
    assert len({str(values) for values in drawn}) == 150
    assert len({values["like"] for values in drawn}) == 10
    bearded = [values for values in drawn if "beard" in values]
    assert 10 < len(bearded) < 75
    assert all(values["like"] in ("finn", "joe", "kenji", "kwame", "omar") for values in bearded)
