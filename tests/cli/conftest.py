import signal
import sys

import pytest

from mien import cli


@pytest.fixture(autouse=True)
def kept_signals():
    """Give pytest its signal handlers back: the command line sets its own."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def run(monkeypatch, capfd, tmp_path):
    """Run the command line in an empty folder; return its exit code, standard output and error."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["mien", *arguments])
        code = 0
        try:
            cli.main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capfd.readouterr()
        return code, out, err

    return call
