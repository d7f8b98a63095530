import sys

import click
import pytest

from mien import cli
from mien.errors import InputError


@pytest.fixture
def run(monkeypatch, capsys):
    """Run `mien WORDS` in this process; returns its exit code and what it said on stderr."""

    def run(*words: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["mien", *words])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return int(ended.value.code or 0), capsys.readouterr().err

    return run


@pytest.fixture
def failing(monkeypatch):
    """Give `mien personas` a body that ends as asked."""

    def fail(how):
        command = click.Command("personas", callback=how)
        monkeypatch.setattr(cli.Commands, "get_command", lambda *_: command)

    return fail


def test_help_and_version_end_well(run):
    assert run("--help")[0] == run("--version")[0] == run("say", "--help")[0] == 0


def test_an_unknown_command_names_the_nearest(run):
    code, said = run("sya")
    assert code == 2
    assert "no command 'sya'; did you mean 'say'?" in said


def test_an_error_is_one_line(run):
    code, said = run("say", "Hello.", "-o", "a.mp5")
    assert code == 1
    assert said.count("\n") == 1
    assert said.startswith("mien: can not write 'a.mp5'")


@pytest.mark.parametrize("words", [("--debug", "personas"), ("personas", "--debug")])
def test_debug_shows_the_error_wherever_it_stands(monkeypatch, failing, run, words):
    failing(lambda: _raise(InputError("no")))
    monkeypatch.setattr(sys, "argv", ["mien", *words])
    with pytest.raises(InputError):
        cli.main()


def test_debug_behind_two_dashes_is_a_word():
    assert cli.without_debug(["say", "--", "--debug"]) == (["say", "--", "--debug"], False)
    assert cli.without_debug(["say", "--debug", "--", "a"]) == (["say", "--", "a"], True)


@pytest.mark.parametrize(
    ("how", "code"),
    [
        (lambda: click.get_current_context().exit(3), 3),
        (lambda: _raise(SystemExit(4)), 4),
        (lambda: _raise(KeyboardInterrupt()), 130),
        (lambda: None, 0),
    ],
)
def test_the_exit_code_of_a_command_is_that_of_mien(failing, run, how, code):
    failing(how)
    assert run("personas")[0] == code


def _raise(error: BaseException) -> None:
    raise error
