"""The READMEs' commands and examples, run as a newcomer runs them."""

import re
import shlex
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from mien import Persona

ROOT = Path(__file__).parents[1]
SCRIPT = "Two short words."


def blocks(name: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / name).read_text("utf-8"), re.S | re.M)


def commands(name: str) -> list[str]:
    lines = "\n".join(blocks(name, "sh")).splitlines()
    return [line for line in lines if line.startswith("mien ") and " packs " not in line]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with what the commands read, in which they run one after the other."""
    folder = tmp_path_factory.mktemp("readme")
    (folder / "script.txt").write_text(SCRIPT, "utf-8")
    spoken = [str(folder / name) for name in ("recording.wav", "question.wav")]
    Persona.load("joe").say_sync("What is said in it.", to=spoken)
    Persona.load("xiaoxiao").say_sync("你们几点开门？", to=folder / "wenti.wav")
    return folder


ENGLISH = commands("README.md")
CHINESE = [c for c in commands("README.zh.md") if c not in ENGLISH and "录音" not in c]


def serves(command: tuple[str, ...]) -> bool:
    return command[:2] == ("mien", "serve")


COMMANDS = list(dict.fromkeys(tuple(shlex.split(line, comments=True)) for line in [*ENGLISH, *CHINESE]))


@pytest.mark.parametrize("command", [c for c in COMMANDS if not serves(c)], ids=shlex.join)
def test_a_command_of_the_readme_works(folder, command):
    done = subprocess.run([sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    made = [command[i + 1] for i, part in enumerate(command) if part == "-o"]
    assert all((folder / name).stat().st_size > 1000 for name in made)


@pytest.mark.parametrize("command", [c for c in COMMANDS if serves(c)], ids=shlex.join)
def test_a_server_of_the_readme_shows_its_page_until_it_is_ended(folder, command):
    served = [sys.executable, "-m", *command, "--port", "0"]
    with subprocess.Popen(served, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
        try:
            address = next(found[0] for line in server.stdout if (found := re.search(r"http://\S+", line)))
            assert "<html" in urllib.request.urlopen(address).read().decode("utf-8")
        finally:
            server.terminate()
        assert server.wait(60) == 0


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_the_python_examples_work(folder, name):
    for source in blocks(name, "python"):
        subprocess.run([sys.executable, "-c", source], cwd=folder, check=True, capture_output=True)


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_every_link_leads_somewhere(name):
    for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / name).read_text("utf-8")):
        assert (ROOT / target).exists(), target
