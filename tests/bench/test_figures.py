import json

import numpy as np

from mien.bench import Figures


def figures() -> Figures:
    rows = Figures()
    rows.add("start", 80.0, "ms", "<=", 150)
    rows.add("recall", 90.0, "%", ">=", 98)
    rows.add("offset", None, "ms", "<=", 15)
    rows.add("jitter", 0.5, "px")
    rows.add("lead", np.float64(-20.0), "ms", "±", 15)
    return rows


def test_a_bound_is_kept_broken_or_not_judged():
    assert [row.kept for row in figures()] == [True, False, None, None, False]


def test_markdown_says_what_was_asked_and_what_fell_short():
    lines = figures().to_markdown().splitlines()
    assert lines[2] == "| start | 80 | ms | ≤ 150 | yes |"
    assert lines[3] == "| recall | 90 | % | ≥ 98 | **no** |"
    assert lines[4] == "| offset | - | ms | ≤ 15 |  |"


def test_json_names_the_machine():
    data = json.loads(figures().to_json())
    assert data["machine"]["cores"] >= 1
    assert data["figures"][0]["kept"] is True
