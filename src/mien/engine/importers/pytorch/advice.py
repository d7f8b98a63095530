"""What a line of Python does that depends on data, and the ways around it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

BRANCH, LOOP, SHAPE, VALUE = "branch", "loop", "shape", "value"
WAYS: Final[Mapping[str, str]] = {
    BRANCH: (
        "hoist the decision out of the model, use torch.where, or torch.cond(test, then, otherwise, "
        "arguments), or wrap it in a torch.library.custom_op"
    ),
    LOOP: (
        "use a fixed number of turns, hoist the loop out (the model is one turn), or torch.while_loop; "
        "or split the model before and after it"
    ),
    SHAPE: (
        "keep the size fixed (torch.where with the mask, topk, padding), bound it with torch._check, or "
        "split the model there; a free axis of an input is torch.export.Dim('frames', min=1, max=512)"
    ),
    VALUE: (
        "keep it a tensor (no .item(), int() or float()), make it an argument of the factory, or bound it "
        "with torch._check"
    ),
}
_SIZES: Final = frozenset(
    "zeros ones empty full arange reshape view expand repeat nonzero masked_select".split()
)


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the user's code, and what it does there: a `branch`, `loop`, `shape` or `value`."""

    file: str
    line: int
    code: str
    kind: str

    def __str__(self) -> str:
        return (
            f"{self.file}:{self.line}: data-dependent {self.kind}: {self.code.rstrip(':')}; {WAYS[self.kind]}"
        )


def place(file: str, line: int, source: str) -> Place:
    """Return what the line does, from the source of its file."""
    lines = source.splitlines()
    code = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    return Place(file, line, code, _kind(source, line))


def _kind(source: str, line: int) -> str:
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return VALUE
    kinds = [kind for node in ast.walk(tree) if (kind := _of(node, line))]
    for kind in (LOOP, BRANCH, SHAPE):
        if kind in kinds:
            return kind
    return VALUE


def _of(node: ast.AST, line: int) -> str:
    """Return what a node is when its head is on the line: the test of an `if`, not what is inside."""
    if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert) and _covers(node.test, line):
        return LOOP if isinstance(node, ast.While) else BRANCH
    if isinstance(node, ast.For) and _covers(node.iter, line):
        return LOOP
    if isinstance(node, ast.Call) and _covers(node, line):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return SHAPE if name in _SIZES else ""
    return SHAPE if isinstance(node, ast.Subscript) and _covers(node, line) else ""


def _covers(node: ast.expr, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)
