"""What `mien measure` found: names that scripts can rely on."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field


@dataclass(frozen=True, slots=True)
class Report:
    """A judgement of one film. A value that could not be had is None, and `reasons` says why, by field.

    Sync. `av_offset_ms`: positive when the picture leads the sound, negative when it lags, with
    `av_offset_error_ms`, one standard error; `av_confidence` in [0, 1]; `av_method`: "closures" or
    "correlation" (see `offset`). `av_drift_ms_per_10min` with `av_drift_error_ms`.

    Lips, lengths in mouth widths. `closure_recall`: share of the bilabials said for which the lips close
    within one picture; `closures_expected`: how many are said; `closure_timing_error_ms`: median distance of
    the seen from the heard closure; `labiodental_recall`, `labiodentals_expected`: lower lip at the teeth in
    f and v. `lip_stillness_mean`, `lip_stillness_std`: aperture in pauses of over 200 ms;
    `closed_in_silence`: share of the pictures in them with closed lips; `silence_s`: how long they are;
    `closed_at_end`.

    Face. `face_share`: pictures with a face; `face_px`: median distance of the eyes' outer corners, pixels;
    `jitter`: tremble in face widths; `blinks`, `blinks_per_minute`, `blink_ms`; head ranges in degrees.

    Film. Sizes in pixels; `frame_rate` in Hz; `dropped_frames`, `duplicated_frames`; durations in seconds;
    `duration_difference_ms`: video minus audio; `speech_level_db`: RMS of the speech, dB of full scale;
    `peak_db`; `clipped_share`: share of samples at full scale; `speech_s`: seconds of speech.
    """

    path: str
    width: int
    height: int
    frames: int
    frame_rate: float
    variable_frame_rate: bool
    dropped_frames: int
    duplicated_frames: int
    video_duration_s: float
    audio_duration_s: float | None = None
    duration_difference_ms: float | None = None
    speech_s: float | None = None
    speech_level_db: float | None = None
    peak_db: float | None = None
    clipped_share: float | None = None
    face_share: float = 0.0
    face_px: float | None = None
    av_offset_ms: float | None = None
    av_offset_error_ms: float | None = None
    av_confidence: float = 0.0
    av_method: str | None = None
    av_drift_ms_per_10min: float | None = None
    av_drift_error_ms: float | None = None
    closures_expected: int | None = None
    closure_recall: float | None = None
    closure_timing_error_ms: float | None = None
    labiodentals_expected: int | None = None
    labiodental_recall: float | None = None
    lip_stillness_mean: float | None = None
    lip_stillness_std: float | None = None
    closed_in_silence: float | None = None
    silence_s: float | None = None
    closed_at_end: bool | None = None
    jitter: float | None = None
    blinks: int | None = None
    blinks_per_minute: float | None = None
    blink_ms: float | None = None
    head_yaw_deg: float | None = None
    head_pitch_deg: float | None = None
    head_roll_deg: float | None = None
    reasons: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> str:
        """Return all fields as a JSON object; never NaN."""
        plain = {name: _plain(value) for name, value in asdict(self).items()}
        return json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False)


def _plain(value: object) -> object:
    """Round floats to what was measured, and write what is not finite as null."""
    if isinstance(value, float):
        return round(value, 5) if math.isfinite(value) else None
    return value
