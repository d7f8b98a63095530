"""Environments that are broken on purpose: each is found, named, and given the right fix."""

from mien.check import Status
from mien.check.probes import devices

from .expected import found, linux


@linux
def test_a_camera_that_is_none(root):
    result = devices.camera(root({"dev/video0": ""}))
    found(result, Status.FAILED, "no camera answers", "usermod -aG video")


@linux
def test_a_microphone_that_can_not_be_opened(root):
    place = root({"dev/snd/seq": ""})
    (place.root / "dev/snd/pcmC0D0c").symlink_to("gone")
    found(devices.microphone(place), Status.FAILED, "no microphone can be opened", "usermod -aG audio")
