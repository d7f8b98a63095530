"""A film → its report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mien.audio.pcm import Pcm
from mien.errors import InputError, require
from mien.measure.bearing import bearing
from mien.measure.drift import measure_drift
from mien.measure.lips import (
    BILABIALS,
    LABIODENTALS,
    articulation,
    closed_at_end,
    closures,
    on_grid,
    opening,
    stillness,
)
from mien.measure.offset import Doubles, brightness, measure_offset
from mien.measure.phones import Heard
from mien.measure.pictures import cadence
from mien.measure.report import Report
from mien.measure.sound import Sound, hear
from mien.measure.speech import Span, covers, silences, speech
from mien.measure.watch import FaceSeries, watch
from mien.media import FilmReader
from mien.progress import Progress, silent

HEARING_HZ = 16_000
LIBRARIES = ("av", "openvino", "PIL.Image", "scipy.signal")


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What the report rests on, for plots: the face over time, the sound, the aperture at every 2 ms in mouth
    widths, closings seen, speech and pauses heard.
    """

    series: FaceSeries
    sound: Sound | None
    grid: Doubles
    shut: list[Span]
    spoken: list[Span]
    pauses: list[Span]


def measure(
    path: Path | str,
    *,
    phones: Heard | None = None,
    align: Callable[[Pcm], Heard] | None = None,
    progress: Progress = silent,
) -> Report:
    """Judge the talking head in a film.

    `phones`: what is said, timed in the film's sound; or `align`: finds that from the sound. Raises what
    `FilmReader` raises, `InputError` for a film without pictures, `MissingError` without the extra.
    """
    return examine(path, phones=phones, align=align, progress=progress)[0]


def examine(
    path: Path | str,
    *,
    phones: Heard | None = None,
    align: Callable[[Pcm], Heard] | None = None,
    progress: Progress = silent,
) -> tuple[Report, Evidence]:
    """Like `measure`, and return the evidence too."""
    for library in LIBRARIES:  # told before the film is watched, not after
        require(library, extra="measure")
    with FilmReader(path) as film:
        shape: list[tuple[int, int]] = []
        series = watch(_pictures(film, progress, shape))
        pcm = film.audio(HEARING_HZ) if film.has_audio else None
    if not len(series):
        raise InputError(f"{path} has no pictures; give a film")
    if pcm is not None and align is not None and phones is None:
        phones = align(pcm)
    evidence = _evidence(series, hear(pcm) if pcm is not None and len(pcm) else None)
    return _report(str(path), shape[0], evidence, phones), evidence


def _pictures(
    film: FilmReader, progress: Progress, shape: list[tuple[int, int]]
) -> Iterator[tuple[float, NDArray[np.uint8]]]:
    for time_s, picture in film:
        if not shape:
            shape.append((picture.shape[1], picture.shape[0]))
        yield time_s, picture
        if film.duration_s:
            progress("watching", min(1.0, time_s / film.duration_s))


def _evidence(series: FaceSeries, sound: Sound | None) -> Evidence:
    end_s = max(float(series.times_s[-1]), sound.duration_s if sound else 0.0)
    grid = on_grid(series, series.in_mouths("aperture"), end_s)
    spoken = speech(sound) if sound else []
    pauses = silences(spoken, end_s) if sound else []
    return Evidence(series, sound, grid, closures(opening(grid)), spoken, pauses)


def _report(path: str, size: tuple[int, int], evidence: Evidence, phones: Heard | None) -> Report:
    reasons: dict[str, str] = {}
    values: dict[str, Any] = {"path": path, "width": size[0], "height": size[1]}
    for part in (_film, _sound, _face, _sync, _lips):
        values |= part(evidence, reasons)
    values |= _phones(evidence, phones, reasons)
    return Report(**values, reasons=reasons)


def _film(evidence: Evidence, _: dict[str, str]) -> dict[str, Any]:
    found, sound = cadence(evidence.series), evidence.sound
    return {
        "frames": len(evidence.series),
        "frame_rate": found.rate_hz,
        "variable_frame_rate": found.variable,
        "dropped_frames": found.dropped,
        "duplicated_frames": found.duplicated,
        "video_duration_s": found.duration_s,
        "audio_duration_s": sound.duration_s if sound else None,
        "duration_difference_ms": (found.duration_s - sound.duration_s) * 1e3 if sound else None,
    }


def _sound(evidence: Evidence, reasons: dict[str, str]) -> dict[str, Any]:
    sound = evidence.sound
    if sound is None:
        reasons["speech_level_db"] = "the film has no sound"
        return {}
    voiced = covers(evidence.spoken, sound.times_s)
    power = 10 ** (sound.level_db[voiced].astype(np.float64) / 10)
    if not len(power):
        reasons["speech_level_db"] = "no speech is heard"
    return {
        "speech_s": sum(span.length_s for span in evidence.spoken),
        "speech_level_db": float(10 * np.log10(power.mean())) if len(power) else None,
        "peak_db": float(20 * np.log10(max(sound.peak, 1e-5))),
        "clipped_share": sound.clipped_share,
    }


def _face(evidence: Evidence, reasons: dict[str, str]) -> dict[str, Any]:
    series, found = evidence.series, bearing(evidence.series)
    if found is None:
        reasons["face_px"] = "no face is seen"
        return {}
    return {
        "face_share": float(series.seen.mean()),
        "face_px": float(np.median(series.column("scale")[series.seen])),
        "jitter": found.jitter,
        "blinks": found.blinks,
        "blinks_per_minute": found.blinks_per_minute,
        "blink_ms": found.blink_ms,
        "head_yaw_deg": found.yaw,
        "head_pitch_deg": found.pitch,
        "head_roll_deg": found.roll,
    }


def _sync(evidence: Evidence, reasons: dict[str, str]) -> dict[str, Any]:
    sound, why = evidence.sound, _unseen(evidence)
    if sound is None or why:
        reasons["av_offset_ms"] = reasons["av_drift_ms_per_10min"] = why or ""
        return {}
    bright = brightness(sound)
    offset = measure_offset(opening(evidence.grid), evidence.shut, bright, evidence.spoken)
    values: dict[str, Any] = {"av_confidence": offset.confidence}
    if offset.value_ms is None:
        reasons["av_offset_ms"] = reasons["av_drift_ms_per_10min"] = offset.reason or ""
        return values
    drift = measure_drift(evidence.shut, bright, evidence.spoken, offset.value_ms / 1e3)
    if drift.reason:
        reasons["av_drift_ms_per_10min"] = drift.reason
    return values | {
        "av_offset_ms": offset.value_ms,
        "av_offset_error_ms": offset.error_ms,
        "av_method": offset.method,
        "av_drift_ms_per_10min": drift.value_ms,
        "av_drift_error_ms": drift.error_ms,
    }


def _unseen(evidence: Evidence) -> str | None:
    if evidence.sound is None:
        return "the film has no sound"
    if not evidence.series.seen.any():
        return "no face is seen"
    return None


def _lips(evidence: Evidence, reasons: dict[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {"closed_at_end": closed_at_end(evidence.series)}
    if values["closed_at_end"] is None:
        reasons["closed_at_end"] = "no face is seen in the last pictures"
    found = stillness(evidence.series, evidence.pauses)
    if found is None:
        reasons["closed_in_silence"] = _unseen(evidence) or "no pause is long enough"
        return values
    return values | {
        "lip_stillness_mean": found.mean,
        "lip_stillness_std": found.deviation,
        "closed_in_silence": found.closed_share,
        "silence_s": found.silence_s,
    }


def _phones(evidence: Evidence, phones: Heard | None, reasons: dict[str, str]) -> dict[str, Any]:
    if phones is None or _unseen(evidence):
        reasons["closure_recall"] = _unseen(evidence) or "what is said is not known; give --text or --phones"
        reasons["labiodental_recall"] = reasons["closure_recall"]
        return {}
    series, grid = evidence.series, evidence.grid
    bright = brightness(evidence.sound) if evidence.sound else None
    lips = articulation(series, grid, phones, BILABIALS, bright)
    teeth = articulation(series, grid, phones, LABIODENTALS)
    for name, found in (("closure_recall", lips), ("labiodental_recall", teeth)):
        if not found.expected:
            reasons[name] = "none is said where a face is seen"
    return {
        "closures_expected": lips.expected,
        "closure_recall": lips.recall,
        "closure_timing_error_ms": float(np.median(np.abs(lips.timing_ms))) if lips.timing_ms else None,
        "labiodentals_expected": teeth.expected,
        "labiodental_recall": teeth.recall,
    }
