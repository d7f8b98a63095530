"""The examples of docs/face.md run."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "face.md"


def test_the_examples_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        exec(block, scope)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["face.csv", "face.json", "face.npz"]
    assert len(scope["again"]) == len(scope["track"]) > 0
