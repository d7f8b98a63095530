import json

import numpy as np
import pytest

from mien.errors import CorruptError, InputError, MissingError, ResourceError
from mien.face import ARKIT_NAMES, FaceTrack
from mien.face.formats import livelink, read, write


def track(frames: int = 70, rate_hz: float = 60.0, start_s: float = 0.0) -> FaceTrack:
    rng = np.random.default_rng(1)
    return FaceTrack(
        rng.random((frames, 52), np.float32),
        rng.normal(0, 0.1, (frames, 3)).astype(np.float32),
        rng.normal(0, 0.1, (frames, 2, 2)).astype(np.float32),
        rate_hz,
        start_s,
    )


@pytest.mark.parametrize(("suffix", "atol"), [(".csv", 1e-7), (".npz", 0.0), (".json", 1e-6)])
def test_what_is_written_is_read(tmp_path, suffix, atol):
    path, original = tmp_path / f"face{suffix}", track()
    write(path, original)
    back = read(path)
    assert back.rate_hz == 60.0
    np.testing.assert_allclose(back.weights, original.weights, atol=atol)
    if suffix != ".json":
        np.testing.assert_allclose(back.head, original.head, atol=atol)
        np.testing.assert_allclose(back.gaze, original.gaze, atol=atol)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("suffix", [".csv", ".npz", ".json"])
def test_an_empty_track_survives(tmp_path, suffix):
    path = tmp_path / f"face{suffix}"
    write(path, FaceTrack.empty())
    assert len(read(path)) == 0


def test_live_link_header_and_timecode(tmp_path):
    path = tmp_path / "face.csv"
    write(path, track(rate_hz=30.0, frames=40, start_s=3661.0))
    lines = path.read_text().splitlines()
    header = lines[0].split(",")
    assert header[:3] == ["Timecode", "BlendShapeCount", "EyeBlinkLeft"]
    assert header[2 + 51 : 2 + 56] == ["TongueOut", "HeadYaw", "HeadPitch", "HeadRoll", "LeftEyeYaw"]
    assert len(header) == 63
    assert lines[1].startswith("01:01:01:00,61,")
    assert lines[32].startswith("01:01:02:01,61,")


def test_timecode_counts_thirty_frames_at_29_97():
    assert livelink.timecode(30, 30000 / 1001) == "00:00:01:00"
    assert livelink.timecode(24 * 3600 * 60, 60) == "00:00:00:00"


def test_a_stream_of_tracks_makes_the_same_csv(tmp_path):
    whole = track(start_s=1.0)
    livelink.write(tmp_path / "whole.csv", whole)
    with livelink.open_writer(tmp_path / "parts.csv", 60.0) as writer:
        for first in range(0, 70, 13):
            writer.write(whole.cut(first, min(first + 13, 70)))
    assert (tmp_path / "parts.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_a_track_of_another_rate_is_refused_and_nothing_is_left(tmp_path):
    with (
        pytest.raises(InputError, match="resample"),
        livelink.open_writer(tmp_path / "f.csv", 30.0) as writer,
    ):
        writer.write(track())
    assert not list(tmp_path.iterdir())


def test_fps_resamples(tmp_path):
    write(tmp_path / "f.csv", track(60), fps=30)
    assert len(read(tmp_path / "f.csv", fps=30)) == 30
    write(tmp_path / "f.json", track(60), fps=24)
    assert json.loads((tmp_path / "f.json").read_text())["numFrames"] == 24


def test_a2f_reads_foreign_names_in_any_order(tmp_path):
    path = tmp_path / "a.json"
    data = {
        "exportFps": 30,
        "numFrames": 1,
        "numPoses": 2,
        "facsNames": ["JawOpen", "TongueTipUp"],
        "weightMat": [[0.5, 1]],
    }
    path.write_text(json.dumps(data))
    back = read(path)
    assert back.weights[0, ARKIT_NAMES.index("jawOpen")] == 0.5
    assert back.weights.sum() == 0.5


@pytest.mark.parametrize("suffix", [".csv", ".npz", ".json"])
@pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 0.99])
def test_a_truncated_file_is_corrupt(tmp_path, suffix, share):
    path = tmp_path / f"face{suffix}"
    write(path, track())
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(CorruptError, match="face"):
        read(path)


@pytest.mark.parametrize("suffix", [".csv", ".npz", ".json"])
@pytest.mark.parametrize(
    "content", [b"\xff\xfe\x00hello", b"a,b,c\n1,2,3\n", b"{}", b"[]", b"PK\x03\x04", b'{"facsNames": 3}']
)
def test_a_foreign_file_is_corrupt(tmp_path, suffix, content):
    path = tmp_path / f"other{suffix}"
    path.write_bytes(content)
    with pytest.raises(CorruptError):
        read(path)


def test_values_that_are_not_finite_are_corrupt(tmp_path):
    bad = track(3)
    bad.weights[1, 1] = np.nan
    for suffix in (".csv", ".npz", ".json"):
        write(tmp_path / f"f{suffix}", bad)
        with pytest.raises(CorruptError):
            read(tmp_path / f"f{suffix}")


def test_an_object_array_is_not_loaded(tmp_path):
    path = tmp_path / "evil.npz"
    np.savez(path, weights=np.array([{}], object))
    with pytest.raises(CorruptError):
        read(path)


def test_paths_that_can_not_be_used(tmp_path):
    with pytest.raises(InputError, match="suffix"):
        write(tmp_path / "face.fbx", track(1))
    with pytest.raises(MissingError):
        read(tmp_path / "absent.csv")
    with pytest.raises(ResourceError):
        write(tmp_path / "absent" / "face.npz", track(1))
