import json

import pytest
from click.testing import CliRunner
from onnx import parser

from mien.cli import COMMANDS
from mien.cli.inspect import command

TEXT = """<ir_version: 9, opset_import: ["" : 18]> g (float[n, 3] x) => (float[n, 3] y)
{ i = Identity(x) y = Neg(i) }"""


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "[red]model.onnx"
    file.write_bytes(parser.parse_model(TEXT).SerializeToString())
    return file


def run(*arguments):
    return CliRunner().invoke(command, list(map(str, arguments)))


def test_it_is_registered():
    assert "inspect" in COMMANDS


def test_a_sound_model(path):
    done = run(path, "--trusted")
    assert done.exit_code == 0
    assert "x: float32 (n, 3)" in done.output
    assert "1 nodes removed" in done.output
    assert done.output.splitlines()[-1].endswith("passes that apply and keep its results: dead-nodes")


def test_json(path):
    done = run(path, "--trusted", "--json", "--no-passes")
    assert json.loads(done.stdout)["summary"]["operators"] == {"Identity": 1, "Neg": 1}


def test_a_broken_model_in_a_child(path):
    path.write_bytes(path.read_bytes()[:-5])
    done = run(path)
    assert done.exit_code == 1
    assert done.stderr == f"mien: {path} must not be run: 1 error (broken-file)\n"
    assert "cut short" in done.stdout


def test_help_has_examples():
    assert "mien inspect model.onnx --json" in run("--help").output
