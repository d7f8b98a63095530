"""Environments that are broken on purpose: each is found, named, and given the right fix."""

import datetime
import http.server
import json
import os
import socket
import stat
import struct
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, contextmanager

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from mien.check import Place, Status
from mien.check.child import attempt
from mien.check.probes import cores, devices, disk, gpu, limits, network, packs, pictures, versions
from mien.errors import MissingError

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks where Linux has it")


def found(result, status, line, remedy):
    """Hold a result to its status, to words of its line and to words of its remedy."""
    assert (result.status, line in result.line, remedy in result.remedy) == (status, True, True), result


@pytest.fixture
def root(tmp_path):
    """Return a maker of files below a root of a system; its place comes back."""

    def write(files: dict[str, str]) -> Place:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return Place(root=tmp_path)

    return write


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Return a maker of distributions that are installed before all others."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def install(name: str, version: str, files: dict[str, str] | None = None) -> None:
        folder = tmp_path / f"{name.replace('-', '_')}-{version}.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        for path, text in (files or {}).items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text)

    return install


@pytest.fixture
def nvidia_smi(tmp_path, monkeypatch):
    """Return a maker of an `nvidia-smi` that says what it is told to say."""

    def make(rows: str, parts: str = "GPU 0: x", code: int = 0, before: str = "") -> None:
        script = tmp_path / "nvidia-smi"
        script.write_text(
            f"#!/bin/sh\n{before}\n"
            f"if [ \"$1\" = -L ]; then echo '{parts}'; else echo '{rows}'; fi\nexit {code}\n"
        )
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    return make


# machine


@linux
def test_a_processor_without_avx2(root, monkeypatch):
    monkeypatch.setattr("mien.engine.machine.architecture", lambda: "x86_64")
    place = root({"proc/cpuinfo": "model name : QEMU\nflags : sse4_2 fpu\n"})
    found(cores.processor(place), Status.FAILED, "no AVX2", "-cpu host")


@linux
def test_half_a_core_by_a_control_group_of_version_2(root):
    files = {"proc/self/cgroup": "0::/pod/web\n", "sys/fs/cgroup/pod/cpu.max": "40000 100000\n"}
    found(cores.cores(root(files)), Status.FAILED, "0.4 of a core", "docker update --cpus 2")


@linux
def test_one_core_by_a_control_group_of_version_1(root):
    place = root(
        {
            "proc/self/cgroup": "4:memory:/a\n3:cpu,cpuacct:/docker/1\n",
            "sys/fs/cgroup/cpu/docker/1/cpu.cfs_quota_us": "100000\n",
            "sys/fs/cgroup/cpu/docker/1/cpu.cfs_period_us": "100000\n",
        }
    )
    found(cores.cores(place), Status.WARNING, "1 of a core", "cpus 2")


@linux
def test_little_memory_by_a_control_group_of_version_2(root):
    place = root(
        {
            "proc/meminfo": "MemAvailable:   16000000 kB\n",
            "proc/self/cgroup": "0::/pod\n",
            "sys/fs/cgroup/pod/memory.max": "900000000\n",
            "sys/fs/cgroup/pod/memory.current": "300000000\n",
        }
    )
    found(cores.memory(place), Status.FAILED, "0.6 GB of memory", "docker update --memory 4g")


@linux
def test_little_memory_by_a_control_group_of_version_1(root):
    place = root(
        {
            "proc/meminfo": "MemAvailable:   16000000 kB\n",
            "proc/self/cgroup": "4:memory:/a\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
            "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "1500000000\n",
        }
    )
    found(cores.memory(place), Status.WARNING, "1.5 GB of memory", "resources.limits.memory")


@linux
def test_little_memory_in_the_machine(root):
    place = root({"proc/meminfo": "MemAvailable:   400000 kB\n"})
    found(cores.memory(place), Status.FAILED, "0.4 GB", "ps -eo")


def limited(limit: str, value: int, probe: str) -> dict[str, str]:
    """Run a probe in a process that is limited as `ulimit` does."""
    module, _, name = probe.partition(":")
    source = (
        f"import json, resource, dataclasses as d; from mien.check import Place; import {module} as m;"
        f"resource.setrlimit(resource.{limit}, ({value}, resource.getrlimit(resource.{limit})[1]));"
        f"print(json.dumps(d.asdict(m.{name}(Place()))))"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@linux
@pytest.mark.parametrize(
    ("limit", "value", "status", "line", "remedy"),
    [
        ("RLIMIT_NOFILE", 64, "failed", "only 64 files", "ulimit -n 4096"),
        ("RLIMIT_NOFILE", 512, "warning", "only 512 files", "ulimit -n 4096"),
        ("RLIMIT_AS", 4 << 30, "failed", "address space is limited to 4.3 GB", "ulimit -v unlimited"),
    ],
)
def test_what_ulimit_takes_away(limit, value, status, line, remedy):
    result = limited(limit, value, "mien.check.probes.limits:limits")
    assert (result["status"], line in result["line"], result["remedy"]) == (status, True, remedy)


@linux
def test_files_may_not_grow():
    result = limited("RLIMIT_FSIZE", 1 << 20, "mien.check.probes.disk:temporary")
    assert result["status"] == "failed"
    assert "file too large" in result["line"]
    assert "TMPDIR" in result["remedy"]


def test_a_home_that_can_not_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("MIEN_HOME", str(tmp_path / "file" / "mien"))
    found(disk.disk(Place()), Status.FAILED, "can not be written", "export MIEN_HOME=")


def test_a_full_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("MIEN_HOME", str(tmp_path))
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 90e6}))
    found(disk.disk(Place()), Status.FAILED, "nearly full", "MIEN_HOME")


@contextmanager
def serving(answer):
    """Answer one datagram; yields the address."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))

        def work():
            _, client = server.recvfrom(64)
            server.sendto(answer(), client)

        thread = threading.Thread(target=work)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        thread.join()


def ntp(ahead_s: float) -> bytes:
    return bytes(40) + struct.pack("!II", int(time.time() + ahead_s) + 2_208_988_800, 0)


@pytest.mark.parametrize(
    ("ahead_s", "status", "line"),
    [(3600, Status.FAILED, "behind"), (-7, Status.WARNING, "ahead of"), (0, Status.OK, "")],
)
def test_a_clock_that_is_wrong(ahead_s, status, line):
    with serving(lambda: ntp(ahead_s)) as server:
        result = limits.clock(Place(time_server=server))
    found(result, status, line, "" if status is Status.OK else "timedatectl set-ntp true")


def test_a_clock_against_the_date_of_an_answer():
    class Late(http.server.BaseHTTPRequestHandler):
        def do_HEAD(self):
            self.send_response_only(503)
            self.send_header("Date", "Wed, 01 Jan 2020 00:00:00 GMT")
            self.end_headers()

    with http.server.HTTPServer(("127.0.0.1", 0), Late) as server:
        threading.Thread(target=server.handle_request).start()
        result = limits.clock(Place(time_server=f"http://127.0.0.1:{server.server_port}/"))
    found(result, Status.FAILED, "ahead of", "timedatectl")


def test_a_clock_of_1970(monkeypatch):
    monkeypatch.setattr("mien.check.probes.limits.time.time", lambda: 3600.0)
    found(limits.clock(Place()), Status.FAILED, "1970-01-01", "timedatectl")


def test_a_time_server_that_is_silent_is_no_failure(monkeypatch):
    monkeypatch.setattr(limits, "_WAIT_S", 0.1)
    assert limits.clock(Place(time_server="127.0.0.1:9")).status is Status.NOT_RUN


# Python


def test_two_builds_of_onnx_runtime(installed):
    installed("onnxruntime", "1.32.0")
    installed("onnxruntime-gpu", "1.30.0")
    remedy = "pip uninstall -y onnxruntime onnxruntime-gpu && pip install onnxruntime-gpu"
    found(versions.onnxruntimes(Place()), Status.FAILED, "share one folder", remedy)


def test_cuda_12_beside_cuda_13(installed):
    installed("nvidia-cublas-cu12", "12.9.1")
    installed("nvidia-cudnn-cu13", "9.17.0")
    found(
        versions.cuda_wheels(Place()), Status.FAILED, "CUDA 12 and 13", "pip uninstall -y nvidia-cublas-cu12"
    )


def test_pytorch_for_another_cuda_than_onnx_runtime(installed):
    installed("torch", "2.11.0", {"torch/version.py": "cuda: Optional[str] = '12.8'\n"})
    told = {"onnxruntime/capi/build_and_package_info.py": "cuda_version = '13.1'\n"}
    installed("onnxruntime-gpu", "1.30.0", told)
    found(versions.cuda_wheels(Place()), Status.FAILED, "CUDA 12: torch", "pip uninstall -y torch")


def test_a_package_built_against_another_numpy(installed, monkeypatch):
    installed("soxr", "0.5", {"soxr.py": "raise ValueError('numpy.dtype size changed, may indicate')\n"})
    monkeypatch.delitem(sys.modules, "soxr", raising=False)
    monkeypatch.setattr(versions, "_COMPILED", ("soxr",))
    found(
        versions.numpy_abi(Place()),
        Status.FAILED,
        "soxr was compiled against another NumPy",
        "--no-deps soxr",
    )


def test_a_package_that_is_too_old(installed):
    installed("click", "7.1.2")
    found(
        versions.requirements(Place()), Status.FAILED, "click 7.1.2, needed is 8", "pip install -U 'click>=8"
    )


# models


def test_no_packs(tmp_path, monkeypatch):
    monkeypatch.setenv("MIEN_HOME", str(tmp_path))
    found(packs.packs(Place()), Status.FAILED, "voice-joe", "mien packs pull core listen")


def test_a_pack_with_a_flipped_bit(tmp_path, monkeypatch):
    monkeypatch.setenv("MIEN_HOME", str(tmp_path))
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "tiny.toml").write_text(
        'title = "t"\nversion = "1"\nlicence = "CC0-1.0"\norigin = "here"\n[[parts]]\n'
        f'files = [{{ path = "a", size = 1, sha256 = "{"0" * 64}" }}]\n'
        'sources = [{ archives = [{ file = "x" }] }]\n'
    )
    from mien.packs import catalogue, store

    folder = tmp_path / "packs" / "tiny"
    folder.mkdir(parents=True)
    (folder / "a").write_text("b")
    store.write_receipt(catalogue.manifest("tiny"), folder)
    found(packs.packs(Place()), Status.FAILED, "not what their hashes say: tiny/a", "mien packs pull tiny")
    (folder / "a").unlink()
    found(packs.packs(Place()), Status.FAILED, "tiny is incomplete", "mien packs pull tiny")


# pictures


def test_an_encoder_that_is_not_here(monkeypatch):
    monkeypatch.setenv("MIEN_H264_ENCODER", "h264_nothing")
    found(pictures.h264(Place()), Status.FAILED, "no encoder h264_nothing", "unset MIEN_H264_ENCODER")


def test_an_ffmpeg_without_opus(monkeypatch):
    def lacking(encoder):
        raise MissingError(f"FFmpeg 8 has no encoder {encoder}")

    monkeypatch.setattr("mien.media.trial.encode", lacking)
    found(pictures.opus(Place()), Status.FAILED, "no encoder libopus", "--no-deps av")


def test_no_pyav(monkeypatch):
    monkeypatch.setitem(sys.modules, "av", None)
    found(
        attempt("mien.check.probes.pictures:vp9", Place()),
        Status.FAILED,
        "av is not",
        "pip install 'mien[video]'",
    )


@linux
def test_no_driver_of_opengl():
    source = (
        "from mien.check.probes.pictures import opengl; from mien.check import Place; r = opengl(Place());"
    )
    done = subprocess.run(
        [sys.executable, "-c", source + "print(r.status, r.line, r.remedy)"],
        env={**os.environ, "__EGL_VENDOR_LIBRARY_FILENAMES": "/nowhere.json"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("failed no OpenGL 4.3"), done.stdout
    assert "apt-get install libegl1" in done.stdout


# devices


@linux
def test_a_camera_that_is_none(root):
    result = devices.camera(root({"dev/video0": ""}))
    found(result, Status.FAILED, "no camera answers", "usermod -aG video")


@linux
def test_a_microphone_that_can_not_be_opened(root):
    place = root({"dev/snd/seq": ""})
    (place.root / "dev/snd/pcmC0D0c").symlink_to("gone")
    found(devices.microphone(place), Status.FAILED, "no microphone can be opened", "usermod -aG audio")


# network


def test_a_port_in_use():
    with socket.create_server(("127.0.0.1", 0)) as server:
        result = network.port(Place(port=server.getsockname()[1]))
    found(result, Status.FAILED, "already in use", "mien serve --port ")


def test_an_address_of_another_machine():
    found(
        network.port(Place(host="203.0.113.1")),
        Status.FAILED,
        "can not be used",
        "mien serve --host 127.0.0.1",
    )


def test_a_port_that_only_root_may_use(monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("socket.create_server", refuse)
    found(network.port(Place(port=443)), Status.FAILED, "permission denied", "a proxy before it")


def test_udp_ports_in_use():
    with ExitStack() as held:
        first = held.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        first.bind(("127.0.0.1", 0))
        port = first.getsockname()[1]
        found(network.udp(Place(udp=(port, port))), Status.FAILED, "already in use", "mien check --udp")


def test_a_proxy_before_this_machine(monkeypatch):
    monkeypatch.setenv("http_proxy", "http://proxy.example:3128")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    found(network.names(Place()), Status.WARNING, "proxy.example", "NO_PROXY=localhost")


def test_authorities_that_are_not_there(monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere.pem")
    found(network.trust(Place()), Status.FAILED, "/nowhere.pem", "unset SSL_CERT_FILE")


@pytest.fixture(scope="module")
def keys():
    return [ec.generate_private_key(ec.SECP256R1()) for _ in range(2)]


@pytest.fixture
def certified(tmp_path, keys):
    """Return a maker of a place with a certificate; `days`: from and until, from now."""

    def make(days: tuple[int, int], hostname: str = "here.example", other_key: bool = False) -> Place:
        now = datetime.datetime.now(datetime.UTC)
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "here.example")])
        alternatives = x509.SubjectAlternativeName(
            [x509.DNSName("here.example"), x509.DNSName("*.one.example")]
        )
        builder = (
            x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(keys[0].public_key())
        )
        builder = builder.serial_number(1).add_extension(alternatives, critical=False)
        begins, ends = (now + datetime.timedelta(days=each) for each in days)
        made = builder.not_valid_before(begins).not_valid_after(ends).sign(keys[0], hashes.SHA256())
        (tmp_path / "c.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
        encoding, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
        key = keys[other_key].private_bytes(encoding, form, serialization.NoEncryption())
        (tmp_path / "k.pem").write_bytes(key)
        return Place(certificate=tmp_path / "c.pem", key=tmp_path / "k.pem", hostname=hostname)

    return make


@pytest.mark.parametrize(
    ("days", "more", "status", "line", "remedy"),
    [
        ((-90, -3), {}, Status.FAILED, "expired 3 days ago", "certbot renew --cert-name here.example"),
        ((2, 90), {}, Status.FAILED, "is the clock right?", "timedatectl"),
        ((-9, 5), {}, Status.WARNING, "expires in 5 days", "certbot renew"),
        (
            (-9, 90),
            {"hostname": "else.example"},
            Status.FAILED,
            "not for else.example",
            "certbot certonly -d else",
        ),
        ((-9, 90), {"hostname": "a.one.example"}, Status.OK, "valid for 90 days", ""),
        ((-9, 90), {"other_key": True}, Status.FAILED, "the key is not the certificate's", "openssl x509"),
    ],
)
def test_certificates(certified, days, more, status, line, remedy):
    found(network.certificate(certified(days, **more)), status, line, remedy)


def test_a_certificate_that_is_none(tmp_path):
    (tmp_path / "c.pem").write_text("hello")
    found(
        network.certificate(Place(certificate=tmp_path / "c.pem")), Status.FAILED, "no certificate", "openssl"
    )
    found(network.certificate(Place(certificate=tmp_path / "gone")), Status.FAILED, "no such file", "ls -l")


# GPU

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
