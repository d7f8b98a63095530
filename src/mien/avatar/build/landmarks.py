"""Where the features of a face are: vertices of the base mesh that mean the same on every person."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mien.avatar.build.draft import Cast
from mien.avatar.build.human import Doubles

# Vertices of hm08, left and right.
OUTER_EYE, INNER_EYE = (11469, 4851), (11490, 4872)
NOSE_WING, MOUTH_CORNER = (11710, 5095), (7128, 368)
NOSE_TIP, CHIN, PHILTRUM = (5134, 5134), (733, 733), (343, 343)


@dataclass(frozen=True, slots=True, eq=False)
class Landmarks:
    """Points (2,) in x and y of the left half of a face, dm from between the eyes; means of both sides."""

    eye: Doubles
    outer_eye: Doubles
    inner_eye: Doubles
    nose_wing: Doubles
    nose_tip: Doubles
    philtrum: Doubles
    mouth_corner: Doubles
    chin: Doubles


def find_landmarks(cast: Cast) -> Landmarks:
    """Return the landmarks of a person."""

    def of(pair: tuple[int, int]) -> Doubles:
        left, right = cast.vertices[list(pair), :2]
        return np.asarray((left + right * [-1, 1]) / 2)

    left, right = cast.eyes
    return Landmarks(
        eye=(left[:2] + right[:2] * [-1, 1]) / 2,
        outer_eye=of(OUTER_EYE),
        inner_eye=of(INNER_EYE),
        nose_wing=of(NOSE_WING),
        nose_tip=of(NOSE_TIP),
        philtrum=of(PHILTRUM),
        mouth_corner=of(MOUTH_CORNER),
        chin=of(CHIN),
    )
