"""What dashboards and alerts ask for is what the server tells; Prometheus' own tool reads the rules."""

import itertools
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from mien.live.waterfall import STAGES
from mien.serve.options import ServeOptions
from mien.serve.site import Site

DEPLOY = Path(__file__).parents[2] / "deploy"
RULES = DEPLOY / "prometheus" / "alerts.yml"
NAME = re.compile(r"\b((?:mien|process|python)_\w+|up(?=\{))")


def expressions():
    rules = yaml.safe_load(RULES.read_text("utf-8"))["groups"]
    yield from ((rule["alert"], rule["expr"]) for group in rules for rule in group["rules"])
    board = json.loads((DEPLOY / "grafana" / "mien.json").read_text("utf-8"))
    for panel in board["panels"]:
        yield from ((panel["title"], target["expr"]) for target in panel.get("targets", ()))
    yield from ((each["name"], each["expr"]) for each in board["annotations"]["list"])
    variable = next(each for each in board["templating"]["list"] if each["name"] == "instance")
    yield "instance", variable["query"]["query"]


def exported():
    """Return the names of all series that a server can tell."""
    page = Site.of(ServeOptions(persona="joe")).metrics.page().decode()
    for name, kind in re.findall(r"^# TYPE (\S+) (\w+)$", page, re.M):
        yield from (
            (f"{name}_{part}" for part in ("bucket", "sum", "count")) if kind == "histogram" else (name,)
        )


def test_every_figure_asked_for_is_told():
    told = {*exported(), "up"}  # Prometheus itself says what is up
    for title, expression in expressions():
        names = set(NAME.findall(expression))
        assert names, title
        assert names <= told, title


def test_every_figure_told_is_on_the_board_or_in_an_alert():
    asked = set(itertools.chain.from_iterable(NAME.findall(each) for _, each in expressions()))
    told = {name for name in exported() if name.startswith("mien_")}
    roots = {re.sub(r"_(bucket|sum|count|total)$", "", name) for name in asked}
    left = {re.sub(r"_(bucket|sum|count|total|created)$", "", name) for name in told} - roots
    assert left == {"mien_build_info", "mien_requests_inside"}


def test_stages_and_routes_that_are_named_exist():
    for _, expression in expressions():
        assert set(re.findall(r'stage="(\w+)"', expression)) <= set(STAGES)


def test_panels_do_not_overlap_and_have_names():
    board = json.loads((DEPLOY / "grafana" / "mien.json").read_text("utf-8"))
    cells = [
        (x, y)
        for place in (panel["gridPos"] for panel in board["panels"])
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(cells) == len(set(cells))
    assert all(0 <= x < 24 for x, _ in cells)
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
    assert all(panel["title"] for panel in board["panels"])


@pytest.fixture
def promtool():
    found = shutil.which("promtool")
    if found is None:
        pytest.skip("no promtool on this machine; it comes with Prometheus")
    return found


def test_prometheus_reads_the_rules(promtool):
    for what in (("rules", RULES), ("config", DEPLOY / "prometheus" / "prometheus.yml")):
        done = subprocess.run([promtool, "check", *map(str, what)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


AV = "mien_presented_av_offset_seconds"
SERIES = {
    'up{job="mien", instance="a"}': "0x20",
    'mien_engine_breaker_open{instance="a", engine="e", link="e on cuda"}': "1x20",
    'mien_turns_total{instance="a", outcome="failed"}': "0+1x40",
    'mien_turns_total{instance="a", outcome="completed"}': "0+9x40",
    'mien_underruns_total{instance="a"}': "0+1x40",
    **{f'{AV}_bucket{{instance="a", le="{le}"}}': f"0+{n}x120" for le, n in (("-0.05", 1), ("0.05", 9))},
    f'{AV}_count{{instance="a"}}': "0+10x120",  # one of ten is early, one is late
}


@pytest.mark.parametrize(
    ("alert", "at", "labels"),
    [
        ("MienDown", "5m", {"instance": "a", "job": "mien", "severity": "critical"}),
        ("MienFellBack", "10m", {"instance": "a", "engine": "e", "link": "e on cuda", "severity": "warning"}),
        ("MienTurnsFail", "30m", {"instance": "a", "severity": "critical"}),
        ("MienStutters", "30m", {"instance": "a", "severity": "warning"}),
        ("MienLipsAreOff", "100m", {"instance": "a", "severity": "warning"}),
    ],
)
def test_alerts_fire_when_they_should(promtool, tmp_path, alert, at, labels):
    def case(series, fires):
        given = [{"series": name, "values": values} for name, values in series.items()]
        expected = [{"exp_labels": labels}] if fires else []
        return {
            "interval": "1m",
            "input_series": given,
            "alert_rule_test": [{"alertname": alert, "eval_time": at, "exp_alerts": expected}],
        }

    fine = {name: "1x40" if name.startswith("up") else "0x120" for name in SERIES}
    rules = yaml.safe_load(RULES.read_text("utf-8"))
    for group in rules["groups"]:
        for rule in group["rules"]:
            del rule["annotations"]  # the test would have to repeat them
    (tmp_path / "alerts.yml").write_text(yaml.safe_dump(rules))
    cases = {"rule_files": ["alerts.yml"], "tests": [case(SERIES, True), case(fine, False)]}
    (tmp_path / "test.yml").write_text(yaml.safe_dump(cases))
    done = subprocess.run(
        [promtool, "test", "rules", str(tmp_path / "test.yml")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
