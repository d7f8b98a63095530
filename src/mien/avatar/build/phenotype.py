"""A person's shape from MakeHuman's macro targets: products of one-dimensional interpolations.

The anchors are those of MakeHuman's modelling tool and of Anny (NAVER, 2025).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from mien.avatar.build.human import Doubles, Human
from mien.avatar.build.person import Phenotype

Weights = Mapping[str, float]

AGES = {"newborn": -1 / 3, "baby": 0.0, "child": 1 / 3, "young": 2 / 3, "old": 1.0}
SMALLEST = 1e-6


def shape(human: Human, phenotype: Phenotype, targets: Weights) -> Doubles:
    """Return the base mesh (19158, 3) in the shape of a person.

    `targets`: local targets and their weights; a `?` in a name stands for both sides (`l`, `r`).
    """
    vertices = human.vertices.copy()
    for name, weight in macro_weights(phenotype).items():
        vertices += weight * human.target(f"macrodetails/{name}")
    for name, weight in targets.items():
        for side in "lr" if "?" in name else " ":
            vertices += weight * human.target(name.replace("?", side))
    return vertices


def macro_weights(phenotype: Phenotype) -> dict[str, float]:
    """Return the macro targets a phenotype is made of, with their weights."""
    return {name: weight for name, weight in _macros(phenotype) if weight > SMALLEST}


def _macros(person: Phenotype) -> Iterator[tuple[str, float]]:
    gender = {"male": 1 - person.gender, "female": person.gender}
    age = _between(person.age, AGES)
    ancestry = {"african": person.african, "asian": person.asian, "caucasian": person.caucasian}
    total = sum(ancestry.values())
    for (g, wg), (a, wa) in _pairs(gender, age):
        stem = f"{g}-{a}"
        for race, share in ancestry.items():
            yield f"{race}-{stem}", wg * wa * share / total
        yield from _builds(person, stem, wg * wa)


def _builds(person: Phenotype, stem: str, share: float) -> Iterator[tuple[str, float]]:
    muscle = _between(person.muscle, {"minmuscle": 0, "averagemuscle": 0.5, "maxmuscle": 1})
    weight = _between(person.weight, {"minweight": 0, "averageweight": 0.5, "maxweight": 1})
    height = {"minheight": 1 - person.height, "maxheight": person.height}
    proportions = {
        "idealproportions": 1 - person.proportions,
        "uncommonproportions": person.proportions,
    }
    for (m, wm), (w, ww) in _pairs(muscle, weight):
        build, amount = f"{stem}-{m}-{w}", share * wm * ww
        yield f"universal-{build}", amount
        for folder, kinds in (("height", height), ("proportions", proportions)):
            for kind, part in kinds.items():
                yield f"{folder}/{build}-{kind}", amount * part


def _between(value: float, anchors: Weights) -> dict[str, float]:
    """Return the weights of the anchors a value lies between."""
    points = list(anchors.values())
    return {name: float(np.interp(value, points, np.eye(len(points))[i])) for i, name in enumerate(anchors)}


def _pairs(first: Weights, second: Weights) -> Iterator[tuple[tuple[str, float], tuple[str, float]]]:
    for a in first.items():
        for b in second.items():
            if a[1] * b[1] > SMALLEST:
                yield a, b
