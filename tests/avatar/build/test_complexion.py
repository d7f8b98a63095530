"""Skin is not one colour: zones, blemishes, and what a deep skin does otherwise than a fair one."""

from dataclasses import replace

import numpy as np
import pytest

from mien.avatar.build.complexion import blemishes, complexion, melanin, mole, pore_zones
from mien.avatar.build.person import read_person

FAIR, DEEP = read_person("finn").skin, read_person("kwame").skin
CHEEK, FOREHEAD, NECK = (0.38, -0.34), (0.0, 0.55), (0.0, -1.15)


def redness(albedo: np.ndarray) -> float:
    mean = albedo.reshape(-1, 3).mean(axis=0)
    return float(mean[0] / mean[1])


def test_melanin_orders_skins():
    order = [melanin(read_person(name).skin) for name in ("finn", "joe", "omar", "priya", "amara", "kwame")]
    assert order == sorted(order)
    assert order[0] < 0.15
    assert order[-1] > 0.75


def test_cheeks_are_redder_and_foreheads_yellower(plate, spread):
    albedo = complexion(plate, FAIR)
    assert redness(spread(albedo, CHEEK)) > 1.12 * redness(spread(albedo, NECK))
    blue = [spread(albedo, place).reshape(-1, 3).mean(0) for place in (FOREHEAD, NECK)]
    assert blue[0][2] / blue[0][1] < 0.97 * blue[1][2] / blue[1][1]


def test_a_deep_skin_varies_more_in_depth_and_less_in_redness(plate, spread):
    ratios = []
    for looks in (FAIR, replace(DEEP, redness=FAIR.redness, pores=FAIR.pores)):
        albedo = complexion(plate, looks)
        light, cheek = albedo.sum(axis=1), redness(spread(albedo, CHEEK))
        ratios.append((cheek / redness(spread(albedo, NECK)), light.std() / light.mean()))
    assert ratios[1][0] < ratios[0][0]
    assert ratios[1][1] > ratios[0][1]


def test_pores_are_on_the_nose_and_not_on_the_lips(plate, spread):
    zones = pore_zones(plate)
    assert spread(zones, (0.0, -0.35)).mean() > 2 * spread(zones, NECK).mean()
    assert zones[plate.lips >= 1].max(initial=0) == 0


@pytest.mark.parametrize(("name", "least", "most"), [("freckles", 0.02, 0.35), ("spots", 0.002, 0.2)])
def test_blemishes_darken_a_share_of_the_skin(plate, name, least, most):
    bare = replace(FAIR, freckles=0.0, spots=0.0, moles=())
    albedo = np.full((len(plate.points), 3), 0.5)
    assert np.array_equal(blemishes(plate, albedo, bare), albedo)
    marked = blemishes(plate, albedo, replace(bare, **{name: 0.9}))
    assert least < (marked[:, 0] < 0.47).mean() < most
    assert marked.max() <= 0.5


def test_a_mole_lies_where_it_is_said_to(plate):
    disc = mole(plate, 0.3, -0.4, 12.0)
    where = plate.points[disc > 0.5]
    assert np.allclose(where.mean(axis=0)[:2], [0.3, -0.4], atol=0.02)
    assert np.hypot(*(where[:, :2] - [0.3, -0.4]).T).max() < 0.13
