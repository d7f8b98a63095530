"""`mien say` as its user meets it: real voice, real files, one-line errors, nothing left behind."""

import io
import json
import os
import signal
import subprocess
import sys

import pytest

from mien.audio import files
from mien.face import formats


def test_one_call_makes_voice_face_and_phones(run, tmp_path):
    outs = ["a.wav", "a.csv", "a.json", "a.npz", "a.phones"]
    code, out, _ = run("say", "-p", "joe", "Bob may map it.", *(x for o in outs for x in ("-o", o)))
    assert code == 0
    assert out.splitlines()[-1].startswith("made a.wav a.csv a.json a.npz a.phones")
    seconds = files.read(tmp_path / "a.wav").duration_s
    track = formats.read(tmp_path / "a.npz")
    assert seconds == pytest.approx(len(track) / 60, abs=1 / 60)
    phones = json.loads((tmp_path / "a.phones").read_text())
    assert phones["phones"][-1]["end"] == round(seconds * phones["rate_hz"])
    assert {"b", "m", "p"} <= {phone["symbol"] for phone in phones["phones"]}


def test_text_comes_from_a_file(run, tmp_path):
    (tmp_path / "script.txt").write_text("A short script.", "utf-8")
    assert run("say", "-q", "-p", "joe", "script.txt", "-o", "a.wav")[0] == 0


WRONG = [
    (["say", "", "-o", "a.wav"], "text"),
    (["say", "   \n ", "-o", "a.wav"], "text"),
    (["say", "🙂🙂", "-o", "a.wav"], "nothing"),
    (["say", "<speak>unclosed", "-o", "a.wav"], "line"),
    (["say", "<speak><prosdy>x</prosdy></speak>", "-o", "a.wav"], "prosody"),
    (["say", "hi", "-o", "a.mp5"], ".mp4"),
    (["say", "hi", "-o", "nowhere/a.wav"], "nowhere"),
    (["say", "hi", "-o", "nowhere/a.npz"], "nowhere"),
    (["say", "hi", "-o", "nowhere/a.mp4"], "nowhere"),
    (["say", "hi", "--persona", "jo", "-o", "a.wav"], "'joe'"),
    (["say", "hi", "--emotion", "hapy", "-o", "a.wav"], "'happy'"),
    (["say", "<speak><mien:emotion name='hapy'>x</mien:emotion></speak>", "-o", "a.wav"], "'happy'"),
    (["say", "<speak><voice name='nobody'>x</voice></speak>", "-o", "a.wav"], "nobody"),
    (["say", "你好", "--persona", "joe", "-o", "a.wav"], "xiaoxiao"),
    (["say", "hi", "--fps", "0", "-o", "a.mp4"], "frame rate"),
    (["say", "hi", "--size", "12x", "-o", "a.mp4"], "1280x720"),
    (["say", "missing.txt", "-o", "a.wav"], "missing.txt"),
    (["say", "-o", "a.wav"], "nothing to say"),
    (["say", "x" * 300_000, "-o", "a.wav"], "200"),
    (["sya", "hi"], "'say'"),
    (["say", "hi", "--audio", "no.wav", "-o", "a.wav"], "no.wav"),
]


@pytest.mark.parametrize(("arguments", "says"), WRONG, ids=[" ".join(w[0])[:40] for w in WRONG])
def test_bad_input_is_one_line_and_leaves_nothing(run, tmp_path, arguments, says):
    if "--persona" not in arguments and arguments[0] == "say":
        arguments = [*arguments, "--persona", "joe"]
    code, _, err = run(*arguments)
    assert code not in (0, 130)
    assert says in err
    assert "Traceback" not in err
    assert not list(tmp_path.iterdir())


def test_an_existing_file_is_kept_when_the_new_one_fails(run, tmp_path):
    (tmp_path / "a.wav").write_bytes(b"precious")
    assert run("say", "-p", "joe", "<speak>unclosed", "-o", "a.wav")[0] == 1
    assert (tmp_path / "a.wav").read_bytes() == b"precious"


@pytest.mark.parametrize("name", ["a.wav", "a.npz"])
def test_a_full_disk_is_one_line(run, tmp_path, name):
    limited = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000));"
        "from mien.cli import main;"
        "sys.argv = ['mien', 'say', '-q', '-p', 'joe', 'Hello there.', '-o', sys.argv[1]];"
        "main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", limited, str(tmp_path / name)], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "disk" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_nothing(tmp_path, stop):
    text = "A long sentence that goes on and on. " * 200
    command = [sys.executable, "-m", "mien", "say", "-p", "joe", "-", "-o", str(tmp_path / "a.wav")]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdin is not None
    process.stdin.write(text)
    process.stdin.close()
    while process.poll() is None and not list(tmp_path.iterdir()):
        os.sched_yield()
    process.send_signal(stop)
    assert process.stderr is not None
    err = process.stderr.read()
    assert process.wait(30) == 130
    process.stderr.close()
    assert "Traceback" not in err
    assert not list(tmp_path.iterdir())


def test_help_shows_examples(run):
    code, out, _ = run("say", "--help")
    assert code == 0
    assert "mien say --persona xiaoxiao" in out


def test_a_closed_standard_input_is_told(run, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    code, _, err = run("say", "-q", "-", "-o", "a.wav")
    assert (code, err.count("\n")) == (1, 1)
    assert "standard input is closed" in err


def test_standard_input_that_is_no_text_is_told(run, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfeH\0i\0"), "utf-8"))
    code, _, err = run("say", "-q", "-", "-o", "a.wav")
    assert (code, err.count("\n")) == (1, 1)
    assert "not UTF-8" in err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full on this system")  # noqa: PTH110
def test_a_full_standard_output_is_one_line():
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = subprocess.run(
            [sys.executable, "-m", "mien", "personas"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 1
    assert done.stderr.startswith(b"mien: can not go on")
    assert done.stderr.count(b"\n") == 1
