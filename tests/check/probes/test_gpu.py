"""Environments that are broken on purpose: each is found, named, and given the right fix."""

from mien.check import Place, Status
from mien.check.probes import gpu

from .expected import found, linux

ROW = "NVIDIA A10, {driver}, 8.6, 23028, {mig}, {persistence}"


@linux
def test_a_driver_that_is_too_old(nvidia_smi, installed):
    installed("nvidia-cublas-cu13", "13.1")
    nvidia_smi(ROW.format(driver="535.104.05", mig="N/A", persistence="Enabled"))
    found(gpu.driver(Place()), Status.FAILED, "535.104.05 is too old for CUDA 13", "nvidia-driver-580")


@linux
def test_a_driver_that_was_updated_and_not_started(nvidia_smi):
    nvidia_smi("Failed to initialize NVML: Driver/library version mismatch", code=18)
    found(gpu.driver(Place()), Status.FAILED, "the old one still runs", "sudo reboot")


@linux
def test_a_driver_that_does_not_run(nvidia_smi):
    nvidia_smi("NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver", code=9)
    found(gpu.driver(Place()), Status.FAILED, "kernel module does not run", "modprobe nvidia")


@linux
def test_a_driver_that_hangs(nvidia_smi, monkeypatch):
    monkeypatch.setattr(gpu, "_WAIT_S", 0.1)
    nvidia_smi("", before="exec sleep 30")
    found(gpu.driver(Place()), Status.FAILED, "did not answer", "dmesg")


@linux
def test_a_container_without_the_driver(root, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    place = root({"dev/nvidiactl": "", ".dockerenv": ""})
    found(gpu.driver(place), Status.FAILED, "container lacks the driver's files", "docker run --gpus all")


@linux
def test_a_gpu_without_a_driver(root, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    card = "sys/bus/pci/devices/0000:01:00.0/"
    place = root({card + "vendor": "0x10de\n", card + "class": "0x030200\n"})
    found(gpu.driver(place), Status.FAILED, "without its driver", "ubuntu-drivers install")
    found(gpu.cuda(place), Status.FAILED, "libcuda", "install the driver")


@linux
def test_mig_without_an_instance(nvidia_smi):
    nvidia_smi(ROW.format(driver="580.1", mig="Enabled", persistence="Enabled"))
    found(gpu.settings(Place()), Status.FAILED, "no instance was made", "nvidia-smi mig -cgi")


@linux
def test_persistence_off(nvidia_smi):
    nvidia_smi(ROW.format(driver="580.1", mig="Disabled", persistence="Disabled"))
    found(gpu.settings(Place()), Status.WARNING, "persistence is off", "sudo nvidia-smi -pm 1")


@linux
def test_no_cudnn(installed, monkeypatch):
    installed("onnxruntime-gpu", "1.30.0")
    monkeypatch.setattr(gpu, "_cudnn_files", lambda: ["libcudnn-of-nobody.so.9"])
    found(gpu.cudnn(Place()), Status.FAILED, "cuDNN 9 can not be loaded", "pip install nvidia-cudnn-cu")
