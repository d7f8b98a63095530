import math

import pytest

from mien.engine.precision import Plan
from mien.engine.search import Budget, rank, search
from mien.errors import InputError

COSTS = {"a": 0.1, "b": 4.0, "c": 0.3, "d": 2.0, "e": 0.0, "f": 1.0}
ALL = Plan("int8", dict.fromkeys(COSTS, "int8"))


def error(plan):
    return sum(COSTS[name] for name in plan.nodes)


def sqnr(plan):
    return 50.0 - error(plan)


def test_no_node_is_kept_when_the_budget_holds():
    found = search(ALL, Budget("rel-error", 8.0), error)
    assert found.plan == ALL
    assert len(found.tried) == 1


@pytest.mark.parametrize(("limit", "kept"), [(4.0, "b"), (1.5, "bd"), (0.45, "bdf"), (0.05, "abcdf")])
def test_the_costliest_are_kept_and_no_more_than_needed(limit, kept):
    found = search(ALL, Budget("rel-error", limit), error)
    assert sorted(found.plan.kept) == list(kept)
    assert error(found.plan) <= limit
    assert found.plan.kept["b"] == "alone costs rel-error 4"


def test_more_is_better_for_some_metrics():
    found = search(ALL, Budget("sqnr", 48.0), sqnr)
    assert sorted(found.plan.kept) == ["b", "d"]
    assert [name for name, _ in found.ranking][:3] == ["b", "d", "f"]


def test_nan_costs_most():
    ranking = rank(ALL, lambda plan: math.nan if "c" in plan.nodes else 1.0, "rel-error", lambda *_: None)
    assert ranking[0][0] == "c"


def test_a_budget_that_nothing_holds_says_so():
    with pytest.raises(InputError, match="does not hold even with every node in fp32"):
        search(ALL, Budget("rel-error", -1.0), error)


def test_budgets_are_read_from_text():
    assert Budget.parse("rel-error=1e-2", None) == Budget("rel-error", 0.01)
    assert Budget.parse("log-mel=1.0", 22_050).holds(0.99)
    for text, message in {
        "rel-error": "is no budget; write METRIC=LIMIT",
        "rel-error=x": "is no budget",
        "rel-error=1e999": "is no budget",
        "psnr=3": "no metric 'psnr'; did you mean 'sqnr'",
        "log-mel=1": "log-mel needs the rate",
    }.items():
        with pytest.raises(InputError, match=message):
            Budget.parse(text, None)
