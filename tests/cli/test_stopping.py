import asyncio
import os
import signal
import subprocess
import sys

import pytest

from mien.cli.stopping import STOPPING, run


@pytest.fixture(autouse=True)
def installed(kept_signals):
    STOPPING.install()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_stops_and_those_behind_it_are_not_heard(number):
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number)
    signal.raise_signal(signal.SIGTERM)
    signal.raise_signal(signal.SIGINT)


def test_a_signal_cancels_work_which_tidies_up_undisturbed():
    tidied = []

    async def work() -> None:
        try:
            signal.raise_signal(signal.SIGTERM)
            await asyncio.Event().wait()
        finally:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGTERM)
            await asyncio.to_thread(tidied.append, "files")
            tidied.append("threads")

    with pytest.raises(KeyboardInterrupt):
        run(work())
    assert tidied == ["files", "threads"]


def test_when_patience_ends_a_signal_is_heard_again(monkeypatch):
    monkeypatch.setattr("mien.cli.stopping.PATIENCE_S", 0.0)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_without_a_signal_the_result_comes_back():
    async def work() -> int:
        return 7

    assert run(work()) == 7
    assert STOPPING.cancel is None


def test_after_the_end_no_signal_is_heard():
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGTERM)
    STOPPING.end()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.raise_signal(number)
        assert signal.getsignal(number) is signal.SIG_IGN


STUBBORN = """
import asyncio, os, signal, sys, threading
from pathlib import Path
from mien.atomic import replacing
from mien.cli import stopping

stopping.PATIENCE_S = 0.2

def work():
    with replacing(Path(sys.argv[1])):
        os.kill(os.getpid(), signal.SIGTERM)
        threading.Event().wait()

stopping.STOPPING.install()
stopping.run(asyncio.to_thread(work))
"""


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_work_that_does_not_heed_a_signal_is_left_and_so_is_no_file(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", STUBBORN, str(tmp_path / "a.wav")],
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, b"mien: stopped; nothing was left half-written\n")
    assert not list(tmp_path.iterdir())
