"""One film of the talking photograph, whose picture leads its sound by 40 ms."""

from __future__ import annotations

from pathlib import Path

import pytest

from mien.measure import Evidence, Heard, Report, examine

from .acted import RATE_HZ, act, film

AHEAD_MS = 40.0


@pytest.fixture(scope="session")
def talking_film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return film(tmp_path_factory.mktemp("films") / "talking.mp4", act(4), 30, ahead_ms=AHEAD_MS)


@pytest.fixture(scope="session")
def judged(talking_film: Path) -> tuple[Report, Evidence, list[float]]:
    shares: list[float] = []
    phones = Heard(act(4).phones, RATE_HZ)
    return (*examine(talking_film, phones=phones, progress=lambda _, share: shares.append(share)), shares)
