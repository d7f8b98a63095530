from dataclasses import replace

from rich.console import Console

from mien.measure.table import table

from .test_verdict import GOOD


def text(**changes: object) -> list[str]:
    console = Console(width=120, no_color=True)
    with console.capture() as capture:
        console.print(table(replace(GOOD, **changes), {}))  # type: ignore[arg-type]
    return capture.get().splitlines()


def test_marks_follow_the_goals() -> None:
    good = text(av_method="closures", closed_at_end=True)
    assert any(line.startswith("✓  picture before sound") and "+3 ms" in line for line in good)
    assert any("lips closed at the end" in line and "yes" in line for line in good)
    assert any(line.startswith("✗") and "-70 ms" in line for line in text(av_offset_ms=-70.0))


def test_what_is_not_known_shows_its_reason() -> None:
    lines = text(av_offset_ms=None, reasons={"av_offset_ms": "the film has no sound"})
    assert any(line.startswith("–") and "the film has no sound" in line for line in lines)


def test_nothing_unknown_is_printed_as_none() -> None:
    assert "None" not in "\n".join(text())
