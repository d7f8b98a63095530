"""Nothing calls home: speaking, drawing and measuring open no connection and write nothing unasked."""

import os
import subprocess
import sys

import pytest

from mien import packs

WATCHED = """
import sys

def refuse(event, details):
    if event in ("socket.getaddrinfo", "socket.gethostbyname"):
        sys.exit(f"asked for an address: {details}")
    if event == "socket.connect" and not isinstance(details[1], str):
        sys.exit(f"opened a connection: {details}")

sys.addaudithook(refuse)
from mien.cli import main
main()
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.mark.parametrize(
    "words",
    [["say", "-q", "-p", "joe", "Hi.", "-o", "a.mp4", "--size", "64x64"], ["measure", "a.mp4", "--json"]],
)
def test_mien_opens_no_connection_and_leaves_the_home_alone(home, words, tmp_path_factory):
    folder = tmp_path_factory.getbasetemp()
    own = {"HOME": str(home), "USERPROFILE": str(home), "MIEN_HOME": str(packs.home())}
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, *words],
        cwd=folder,
        env=os.environ | own,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert not list(home.iterdir())
