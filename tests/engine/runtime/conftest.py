import pytest

from .nets import Clock


@pytest.fixture
def clock():
    return Clock()
