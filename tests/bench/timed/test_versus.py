from dataclasses import replace

import pytest
from click.testing import CliRunner
from tests.bench.timed.conftest import QUIET, made

from mien.bench.timed import files
from mien.bench.timed.files import Report
from mien.bench.timed.versus import Verdict, compare, disturbance
from mien.cli.bench import command


def verdicts(old, new, threshold=0.1):
    found = compare(Report("old", [old]), Report("new", [new]), threshold)
    return {change.name: change.verdict for change in found.changes}


def test_what_is_a_fifth_slower_is_worse_and_what_is_faster_is_better():
    assert verdicts(made(), made(scale=1.2, seed=1)) == {
        "fast": Verdict.WORSE, "slow": Verdict.SAME, "rate": Verdict.WORSE,
    }  # fmt: skip
    assert verdicts(made(scale=1.2), made(seed=1))["fast"] is Verdict.BETTER
    assert verdicts(made(scale=1.2), made(seed=1))["rate"] is Verdict.BETTER


def test_a_second_run_of_the_same_is_the_same():
    assert set(verdicts(made(seed=5), made(seed=6)).values()) == {Verdict.SAME}


def test_what_varies_much_or_was_seldom_sampled_is_not_called_worse():
    assert verdicts(made(spread=0.5), made(scale=1.15, seed=1, spread=0.5))["fast"] is Verdict.UNSURE
    assert verdicts(made(count=3), made(scale=2.0, count=3))["fast"] is Verdict.UNSURE


def test_noise_raises_what_is_allowed():
    loud = replace(QUIET, others=0.5, reasons=("others",))
    assert disturbance(QUIET) == 0
    assert disturbance(loud) == pytest.approx(0.25)
    assert verdicts(made(), made(scale=1.2, seed=1, noise=loud))["fast"] is not Verdict.WORSE
    assert verdicts(made(), made(scale=1.6, seed=1, noise=loud))["fast"] is Verdict.WORSE


def test_the_command_fails_on_a_regression_alone(tmp_path):
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    files.write(Report("a", [made(), made("batch")]), old)
    files.write(Report("b", [made(scale=1.3, seed=1)], environment={"cores": "99"}), new)
    worse = CliRunner().invoke(command, ["compare", str(old), str(new)])
    assert worse.exit_code == 1
    assert "2 worse" in worse.output
    assert "not in the new run: batch: fast" in worse.output
    assert "and is 99" in worse.output
    assert CliRunner().invoke(command, ["compare", str(old), str(old), "--all"]).exit_code == 0
    assert CliRunner().invoke(command, ["compare", str(old), str(new), "--threshold", "0.5"]).exit_code == 0
