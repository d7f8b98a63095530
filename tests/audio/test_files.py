import collections
import os
import resource
import signal
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile

from mien.audio.files import SoundWriter, read, write
from mien.audio.pcm import Pcm
from mien.errors import InputError, MissingError, ResourceError

TONE = (0.5 * np.sin(np.arange(22_050) / 9.0)).astype(np.float32)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(
    ("suffix", "error"), [(".wav", 1e-4), (".flac", 1e-4), (".ogg", 0.05), (".mp3", 0.05), (".WAV", 1e-4)]
)
def test_writes_and_reads_each_format(tmp_path: Path, suffix: str, error: float) -> None:
    path = tmp_path / f"sound{suffix}"
    write(path, Pcm(TONE, 22_050))
    got = read(path)
    assert (got.rate_hz, len(got)) == (22_050, len(TONE))
    assert np.abs(got.samples - TONE)[2000:-2000].max() < error
    assert names(tmp_path) == [path.name]


@pytest.mark.parametrize("subtype", ["PCM_U8", "PCM_16", "PCM_24", "PCM_32", "FLOAT", "DOUBLE", "ULAW"])
def test_reads_every_depth(tmp_path: Path, subtype: str) -> None:
    soundfile.write(tmp_path / "x.wav", TONE, 22_050, subtype=subtype)
    assert np.abs(read(tmp_path / "x.wav").samples - TONE).max() < 0.02


@pytest.mark.parametrize("channels", [1, 2, 3, 4, 5, 6, 8])
def test_mixes_any_number_of_channels(tmp_path: Path, channels: int) -> None:
    soundfile.write(tmp_path / "x.wav", np.repeat(TONE[:, None], channels, axis=1), 48_000)
    assert np.abs(read(tmp_path / "x.wav").samples - TONE).max() < 1e-3


def test_a_float_file_beyond_full_scale_is_scaled(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "x.wav", TONE * 4, 22_050, subtype="FLOAT")
    assert np.abs(read(tmp_path / "x.wav").samples).max() == pytest.approx(1.0)


def test_zero_length_is_an_error(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "x.wav", np.zeros(0), 22_050)
    with pytest.raises(InputError, match="no samples"):
        read(tmp_path / "x.wav")
    (tmp_path / "y.wav").touch()
    with pytest.raises(InputError, match="the file is empty"):
        read(tmp_path / "y.wav")


def test_what_is_no_sound_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "x.wav").write_text("hello, I am text")
    with pytest.raises(InputError, match="no sound file"):
        read(tmp_path / "x.wav")
    with pytest.raises(MissingError, match="no sound file"):
        read(tmp_path / "absent.wav")
    with pytest.raises(ResourceError, match="directory"):
        read(tmp_path)


@pytest.mark.parametrize("size", [4, 11, 20, 43])
def test_a_truncated_header_is_an_error(tmp_path: Path, size: int) -> None:
    soundfile.write(tmp_path / "x.wav", TONE, 22_050)
    (tmp_path / "y.wav").write_bytes((tmp_path / "x.wav").read_bytes()[:size])
    with pytest.raises(InputError):
        read(tmp_path / "y.wav")


def test_truncated_samples_are_read_as_far_as_they_go(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "x.wav", TONE, 22_050)
    (tmp_path / "y.wav").write_bytes((tmp_path / "x.wav").read_bytes()[: 44 + 2001])
    assert len(read(tmp_path / "y.wav")) == 1000


def test_samples_that_are_no_numbers_are_an_error(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "x.wav", TONE, 22_050, subtype="FLOAT")
    data = bytearray((tmp_path / "x.wav").read_bytes())
    data[-8:-4] = struct.pack("<f", float("nan"))
    (tmp_path / "x.wav").write_bytes(data)
    with pytest.raises(InputError, match="no numbers"):
        read(tmp_path / "x.wav")


def test_a_stream_of_pieces_is_one_file(tmp_path: Path) -> None:
    with SoundWriter(tmp_path / "x.wav", 22_050) as writer:
        for at in range(0, len(TONE), 1000):
            writer.write(Pcm(TONE[at : at + 1000], 22_050))
        assert not (tmp_path / "x.wav").exists()
    assert len(read(tmp_path / "x.wav")) == len(TONE)


def test_an_error_leaves_nothing_and_keeps_the_old_file(tmp_path: Path) -> None:
    write(tmp_path / "x.wav", Pcm(TONE, 22_050))
    half = [Pcm(TONE[:10], 22_050), Pcm(TONE, 8_000)]
    with pytest.raises(ValueError, match="resample"), SoundWriter(tmp_path / "x.wav", 22_050) as writer:
        collections.deque(map(writer.write, half))
    assert len(read(tmp_path / "x.wav")) == len(TONE)
    assert names(tmp_path) == ["x.wav"]


def test_bad_places_and_names(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match=r"no folder .* make it first"):
        write(tmp_path / "no" / "x.wav", Pcm(TONE, 22_050))
    with pytest.raises(InputError, match=r"did you mean '\.wav'"):
        write(tmp_path / "x.wave", Pcm(TONE, 22_050))
    with pytest.raises(InputError, match=r"use \.wav"):
        write(tmp_path / "x.mp3", Pcm(TONE, 12_345))
    with pytest.raises(ValueError, match="resample first"), SoundWriter(tmp_path / "x.wav", 8_000) as writer:
        writer.write(Pcm(TONE, 22_050))
    assert names(tmp_path) == []


FULL = """
import resource, signal, sys
import numpy as np
from mien.audio.files import write
from mien.audio.pcm import Pcm
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
write(sys.argv[1], Pcm(np.zeros(400_000, np.float32) + 0.1, 22_050))
"""


@pytest.mark.skipif(not hasattr(signal, "SIGXFSZ"), reason="no file size limit on this system")
def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    assert resource.RLIMIT_FSIZE
    run = subprocess.run(
        [sys.executable, "-c", FULL, tmp_path / "x.wav"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 1
    assert "ResourceError: can not write" in run.stderr.splitlines()[-1]
    assert names(tmp_path) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_no_permission(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(ResourceError, match="no permission"):
        write(tmp_path / "x.wav", Pcm(TONE, 22_050))


def test_a_flac_file_that_is_cut_off_is_an_error(tmp_path: Path) -> None:
    noise = np.random.default_rng(0).uniform(-0.5, 0.5, 32_000).astype(np.float32)
    write(tmp_path / "a.flac", Pcm(noise, 16_000))
    data = (tmp_path / "a.flac").read_bytes()
    (tmp_path / "a.flac").write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError, match=r"is damaged .*export it again"):
        read(tmp_path / "a.flac")


@pytest.mark.parametrize("rate_hz", [1, 999, 768_001, 2**31 - 1])
def test_a_rate_that_no_recording_has_is_an_error(tmp_path: Path, rate_hz: int) -> None:
    data = bytearray(_wav(tmp_path))
    data[24:28] = rate_hz.to_bytes(4, "little")
    (tmp_path / "a.wav").write_bytes(data)
    with pytest.raises(InputError, match="1,000 to 768,000 Hz"):
        read(tmp_path / "a.wav")


def _wav(folder: Path) -> bytes:
    write(folder / "a.wav", Pcm(np.zeros(100, np.float32), 16_000))
    return (folder / "a.wav").read_bytes()
