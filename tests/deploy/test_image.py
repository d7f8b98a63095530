"""What can be said of the image and the compose file without building them."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from mien.cli.serve import command

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text("utf-8")


def pinned(tmp_path, *wanted):
    (tmp_path / "wanted.txt").write_text("".join(f"{each}\n" for each in wanted))
    rules = ["awk", "-f", str(ROOT / "deploy" / "pinned.awk"), str(tmp_path / "wanted.txt")]
    return subprocess.run(
        [*rules, str(ROOT / "requirements.lock")], capture_output=True, text=True, check=True
    )


@pytest.mark.skipif(shutil.which("awk") is None, reason="no awk on this machine")
def test_only_what_is_wanted_is_installed_and_by_hash(tmp_path):
    out = pinned(tmp_path, "typing_extensions==4.0", "NumPy", "huggingface-hub ; extra").stdout
    names = set(re.findall(r"^([\w-]+)==", out, re.M))
    assert names == {"huggingface-hub", "numpy", "typing-extensions"}
    assert all("--hash=sha256:" in block for block in re.split(r"\n(?=\w)", out))


def test_the_image_runs_as_nobody_and_is_asked_for_its_health():
    last = DOCKERFILE[DOCKERFILE.rindex("\nFROM ") :]
    assert re.search(r"^USER 10001$", last, re.M)
    assert "/healthz" in last
    assert not re.search(r"pip install(?!.*--(require-hashes|no-deps))", DOCKERFILE)
    for source in re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.M):
        assert all((ROOT / each).exists() for each in source.split())


def test_the_command_of_the_image_is_one_that_the_server_takes():
    entry = re.search(r"ENTRYPOINT \[(.+)\]", DOCKERFILE)[1].replace('"', "").split(", ")
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))
    words = [*entry[2:], *compose["services"]["mien"]["command"]]
    done = CliRunner().invoke(command, [*words, "--sessions", "0"])  # the first that is wrong
    assert "0 sessions" in str(done.exception)


def test_no_port_is_open_to_others_and_no_service_is_root():
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))
    for service in compose["services"].values():
        assert all(port.startswith("127.0.0.1:") for port in service["ports"])
        assert service["cap_drop"] == ["ALL"]
    assert "deploy/secrets" in (ROOT / ".gitignore").read_text("utf-8")
