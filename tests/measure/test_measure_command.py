"""`mien measure` as its user sees it (it lives in `mien.cli.measure`)."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mien.cli.measure import command
from mien.errors import MissingError

from .acted import act


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(command, [str(word) for word in words])


def test_the_table_ends_with_advice(talking_film: Path) -> None:
    result = run(talking_film)
    assert result.exit_code == 0, result.output
    assert "picture before sound" in result.output
    assert result.output.splitlines()[-1].startswith("the picture leads the sound by")


def test_json_phones_plot_and_a_limit_that_fails(talking_film: Path, tmp_path: Path) -> None:
    rows = [{"symbol": p.symbol, "start": p.start, "end": p.end} for p in act(4).phones]
    (tmp_path / "phones.json").write_text(json.dumps({"rate_hz": 16_000, "phones": rows}))
    options = ("--json", "--phones", tmp_path / "phones.json", "--plot", tmp_path / "plot.png")
    result = run(talking_film, *options, "--max-offset-ms", "15", "--min-closure-recall", "0.8")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["closure_recall"] >= 0.9
    (line,) = result.stderr.split("\n")[-2:-1]
    assert line.startswith("mien: av_offset_ms is ")
    assert result.stderr.count("mien:") == 1
    assert (tmp_path / "plot.png").stat().st_size > 5_000


def test_no_film_is_an_error_of_miens(tmp_path: Path) -> None:
    result = run(tmp_path / "none.mp4")
    assert isinstance(result.exception, MissingError)


@pytest.mark.parametrize(
    "option", ["--max-offset-ms", "--min-closure-recall", "--max-jitter", "--max-dropped"]
)
def test_limits_take_numbers(option: str, tmp_path: Path) -> None:
    result = run(tmp_path / "a.mp4", option, "much")
    assert result.exit_code == 2
    assert "'much' is not a valid float" in result.output
