"""The poses that a page shows a head in, and what of a face they need."""

from __future__ import annotations

from collections.abc import Mapping

from mien.avatar.portraits import pose_of
from mien.errors import InputError, nearest
from mien.face.pose import FacePose

POSES: Mapping[str, Mapping[str, float]] = {
    "neutral": {},
    "smile": {"mouthSmile": 0.6, "cheekSquint": 0.3},
    "ah": {"jawOpen": 0.5},
    "blink": {"eyeBlink": 1.0},
}
YAW = 35.0  # degrees to each side: further round the back of the head is open
_ALWAYS = (
    "mouthClose",
    "jawForward",
    "jawLeft",
    "jawRight",
    "jawOpen",
    "tongueOut",
)  # parts are made by these
UNITS = (
    *_ALWAYS,
    *(f"{name}{side}" for name in ("mouthSmile", "cheekSquint", "eyeBlink") for side in ("Left", "Right")),
)


def needed(unit: str) -> bool:
    """Return whether drafts need a face unit, or a corrective of several (`jawOpen*tongueOut`)."""
    return set(unit.split("*")) <= set(UNITS)


def posed(name: str, yaw: float) -> FacePose:
    """Return a pose by name, the head turned by `yaw` degrees; raises `InputError`."""
    if name not in POSES:
        raise InputError(f"no pose {name!r}{nearest(name, POSES)}")
    if not -YAW <= yaw <= YAW:
        raise InputError(f"yaw is {yaw:g} degrees; it must be from {-YAW:g} to {YAW:g}")
    return pose_of(POSES[name], yaw)
