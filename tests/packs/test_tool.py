from __future__ import annotations

import sys

import pytest

from mien.packs.sources import tool


def test_what_a_tool_says_and_brings_is_seen(tmp_path):
    code = (
        "import pathlib, sys, tempfile\n"
        "print('to', 'stdout'); print('to stderr', file=sys.stderr)\n"
        "pathlib.Path(tempfile.gettempdir(), 'got').write_bytes(bytes(1000))\n"
        "sys.stdin.read(); sys.exit(3)\n"
    )
    status, said = tool.run([sys.executable, "-c", code], tmp_path, lambda _: None)
    assert status == 3
    assert sorted(said.split("\n")) == ["", "to stderr", "to stdout"]
    assert (tmp_path / "got").stat().st_size == 1000


def test_a_tool_is_watched_and_ended_when_we_are_interrupted(tmp_path):
    write = f"pathlib.Path({str(tmp_path / 'part')!r}).write_bytes(bytes(1000))"
    code = f"import pathlib, threading; {write}; threading.Event().wait()"
    sizes = []

    def interrupt(size):
        sizes.append(size)
        if size == 1000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tool.run([sys.executable, "-c", code], tmp_path, interrupt)
    assert sizes[-1] == 1000
