import pytest


@pytest.fixture
def engines_aside(tmp_path, monkeypatch):
    """Keep the engines of small models out of the user's cache."""
    monkeypatch.setenv("MIEN_HOME", str(tmp_path / "home"))
