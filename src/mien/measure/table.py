"""A report as a table for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mien.measure.report import Report
from mien.measure.verdict import limits

if TYPE_CHECKING:
    from rich.table import Table

# Field, label, how the value `v` is written, and what is said behind it (of the report `r`).
_ROWS: tuple[tuple[str, str, str, str], ...] = (
    ("av_offset_ms", "picture before sound", "{v:+.0f} ms", "± {r.av_offset_error_ms:.0f}, by {r.av_method}"),
    ("av_confidence", "confidence", "{v:.2f}", ""),
    ("av_drift_ms_per_10min", "drift in 10 min", "{v:+.1f} ms", "± {r.av_drift_error_ms:.1f}"),
    ("closure_recall", "lips closed on p b m", "{v:.1%}", "of {r.closures_expected}"),
    ("closure_timing_error_ms", "closure timing error", "{v:.0f} ms", "median"),
    ("labiodental_recall", "lip at teeth on f v", "{v:.1%}", "of {r.labiodentals_expected}"),
    ("closed_in_silence", "lips closed in pauses", "{v:.0%}", "of {r.silence_s:.1f} s"),
    ("lip_stillness_std", "lip motion in pauses", "{v:.4f} mouth widths", ""),
    ("closed_at_end", "lips closed at the end", "{v}", ""),
    ("jitter", "jitter", "{v:.4f} face widths", ""),
    ("blinks_per_minute", "blinks", "{v:.0f} a minute", "{r.blinks} seen"),
    ("head_yaw_deg", "head turn, nod, tilt", "{v:.0f}°, {r.head_pitch_deg:.0f}°, {r.head_roll_deg:.0f}°", ""),
    ("face_share", "pictures with a face", "{v:.1%}", "{r.face_px:.0f} px between the eyes' outer corners"),
    ("frame_rate", "pictures", "{r.frames} at {v:.2f} Hz", "{r.width}x{r.height}"),
    ("dropped_frames", "dropped pictures", "{v}", ""),
    ("duplicated_frames", "repeated pictures", "{v}", ""),
    ("duration_difference_ms", "picture longer than sound", "{v:+.0f} ms", ""),
    ("speech_level_db", "speech", "{v:.0f} dB", "{r.speech_s:.1f} s"),
    ("clipped_share", "clipped samples", "{v:.2%}", ""),
)


def table(report: Report, given: Mapping[str, float]) -> Table:
    """Return the rows with ✓ or ✗ against the goals, or against the `given` limits where there are some."""
    from rich.table import Table

    goals = limits(given)
    out = Table(box=None, show_header=False, pad_edge=False)
    for field, label, form, note in _ROWS:
        value = getattr(report, field)
        if value is None:
            why = report.reasons.get(field)
            if why:
                out.add_row("–", label, "", f"[dim]{why}[/dim]")
            continue
        kept = goals[field].holds(report) if field in goals else None
        mark = {True: "[green]✓[/green]", False: "[red]✗[/red]", None: " "}[kept]
        shown = ("no", "yes")[value] if isinstance(value, bool) else value
        text = form.format(v=shown, r=report)
        out.add_row(mark, label, text, f"[dim]{_note(note, report)}[/dim]")
    return out


def _note(note: str, report: Report) -> str:
    """Fill the note, or leave it out when one of its values is not known."""
    try:
        text = note.format(r=report)
    except TypeError:
        return ""
    return "" if "None" in text else text
