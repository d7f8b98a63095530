import pytest

from mien.engine.importers.pytorch.advice import place

CODE = """def forward(self, x, n):
    if x.sum() > 0:
        y = x * 2
    while x.max() < 3:
        x = x + 1
    for _ in range(int(n)):
        x = x + 1
    z = x if x.mean() > 0 else -x
    k = x[x > 0]
    a = torch.zeros(int(n))
    v = x.item()
    assert x.min() > 0
    return y
"""


@pytest.mark.parametrize(
    ("line", "kind"),
    [(2, "branch"), (4, "loop"), (6, "loop"), (8, "branch"), (9, "shape"), (10, "shape"), (11, "value"),
     (12, "branch"), (3, "value"), (99, "value")],
)  # fmt: skip
def test_a_line_is_a_branch_a_loop_a_shape_or_a_value(line, kind):
    found = place("model.py", line, CODE)
    assert found.kind == kind
    assert str(found).startswith(f"model.py:{line}: data-dependent {kind}: ")


def test_the_ways_around_are_told():
    assert "torch.cond" in str(place("m.py", 2, CODE))
    assert "torch.while_loop" in str(place("m.py", 4, CODE))
    assert "torch.export.Dim" in str(place("m.py", 9, CODE))
    assert place("m.py", 1, "this is no Python").kind == "value"
