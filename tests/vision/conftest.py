"""A real face: the photograph of an astronaut in pack `samples`."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from mien import packs


@pytest.fixture(scope="session")
def astronaut() -> NDArray[np.uint8]:
    return np.asarray(Image.open(packs.path("samples") / "astronaut.png").convert("RGB"))
