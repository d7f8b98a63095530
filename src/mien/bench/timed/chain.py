"""A camera's picture at 1080p through two backends: OpenVINO finds the face, ONNX Runtime its points.

The time of each picture is split: copy (into one block of memory, as a camera's driver hands it over), pre
(shrinking, cutting out, turning into numbers), run, post (boxes, merging, points back into the picture).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, TypeVar

import numpy as np

from mien import packs
from mien.avatar import load as avatar_of
from mien.avatar.render import SoftwareRenderer
from mien.bench.render import poses
from mien.bench.timed.budget import Budget, Taken
from mien.bench.timed.plots import Shares, Waterfall
from mien.bench.timed.result import Result
from mien.engine.importers import imported
from mien.engine.runtime import Machine
from mien.errors import ResourceError, require
from mien.progress import Progress
from mien.vision.detector import FaceDetector
from mien.vision.landmarks import FaceLandmarks, Landmarks
from mien.vision.networks import Network, Picture

SIZE: Final = (1920, 1080)
PARTS: Final = ("copy", "pre", "run", "post")
WARM: Final = 3  # pictures
_T = TypeVar("_T")


class Parts:
    """Seconds of each part of each stage, in the order in which they came."""

    def __init__(self) -> None:
        self.spent: dict[tuple[str, str], float] = {}

    def take(self, stage: str, part: str, call: Callable[[], _T]) -> _T:
        """Call, and add the time to a part."""
        began = time.perf_counter()
        made = call()
        key = (stage, part)
        self.spent[key] = self.spent.get(key, 0.0) + time.perf_counter() - began
        return made


def run(budget: Budget, result: Result, tell: Progress) -> None:
    """Send pictures of a head through both networks until the time is over."""
    tell("loading", 0.0)
    parts = Parts()
    detector = parts.take("detector", "load", FaceDetector)
    landmarks = parts.take("landmarks", "load", _landmarks)
    load = {stage: 1e3 * parts.spent[stage, "load"] for stage in ("detector", "landmarks")}
    pictures = _pictures(8)
    rows: list[dict[tuple[str, str], float]] = []
    tell("pictures", 0.2)
    while not budget.is_over or len(rows) < WARM + 3:
        spent = Parts()
        through(pictures[len(rows) % len(pictures)], detector, landmarks, spent)
        rows.append(spent.spent)
    show(result, rows, load)


def through(picture: Picture, detector: FaceDetector, landmarks: FaceLandmarks, parts: Parts) -> Landmarks:
    """Send one picture through the chain; raises `ResourceError` when no face is found in it."""
    picture = parts.take("camera", "copy", picture.copy)
    square, scale = parts.take("detector", "pre", lambda: detector.fitted(picture))
    tensor = parts.take("detector", "pre", lambda: detector.network.tensor(square))
    outputs = parts.take("detector", "run", lambda: detector.network.run(tensor))
    faces = parts.take("detector", "post", lambda: detector.found(outputs, scale))
    if not faces:
        raise ResourceError("the detector found no face in a drawn head; run: mien packs verify faces")
    region = faces[0].region
    size = landmarks.network.size
    cut = parts.take("landmarks", "pre", lambda: region.cut(picture, size))
    tensor = parts.take("landmarks", "pre", lambda: landmarks.network.tensor(cut))
    outputs = parts.take("landmarks", "run", lambda: landmarks.network.run(tensor))
    return parts.take("landmarks", "post", lambda: landmarks.placed(outputs, region))


def show(result: Result, rows: list[dict[tuple[str, str], float]], load: dict[str, float]) -> None:
    """Add the whole, each part, their shares, and where the time of a picture goes."""
    later = rows[WARM:]
    whole = [1e3 * sum(row.values()) for row in rows]
    result.add("a picture, from copy to points", "ms", Taken(whole[WARM:], whole[:WARM]), group="A picture")
    medians = {key: 1e3 * float(np.median([row[key] for row in later])) for key in later[0]}
    for part in PARTS:
        keys = [key for key in medians if key[1] == part]
        values = [1e3 * sum(row[key] for key in keys) for row in rows]
        result.add(f"{part}, all stages", "ms", Taken(values[WARM:], values[:WARM]), group="Its parts")
        result.fact(f"share of {part}", 100 * sum(medians[key] for key in keys) / sum(medians.values()), "%")
    for stage, ms in load.items():
        result.fact(f"loading the {stage}", ms, "ms, once")
    stages, at = [], 0.0
    for (stage, part), ms in medians.items():
        stages.append((f"{stage}: {part}", at, ms))
        at += ms
    result.plots.append(Waterfall(f"One picture of {SIZE[0]}x{SIZE[1]}", tuple(stages)))
    rows_of = {stage: {p: medians.get((stage, p), 0.0) for p in PARTS} for stage in ("camera", *load)}
    result.plots.append(Shares("What each stage spends", "ms", rows_of))
    result.notes.append(
        "the detector runs in OpenVINO, the landmarks in ONNX Runtime, with their usual threads"
    )


def _landmarks() -> FaceLandmarks:
    require("tflite", extra="tflite")
    file = imported(packs.path("faces") / "face_landmark.tflite").path
    return FaceLandmarks(Network(file, low=0.0, high=1.0, machine=Machine()))


def _pictures(count: int) -> list[Picture]:
    with SoftwareRenderer(avatar_of("joe"), SIZE) as renderer:
        return [renderer.render(pose) for pose in poses(count)]
