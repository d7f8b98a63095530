"""The page in a real browser, served by `mien serve`, with a recorded human at its microphone."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.browser import Page, opened

from mien import packs
from mien.audio.files import read, write
from mien.audio.pcm import Pcm
from mien.errors import MissingError

ROOT = Path(__file__).parents[2]
DRAWN = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")
HEARD = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
PAUSE_S = (
    0.8,
    7.0,
)  # before and after "It was the age of wisdom", heard again and again
OFFSET_MS = 25.0
LONG = "Please tell me a long story, about a king, and a queen, and their castle by the sea, and their ships."
WATCHED = """
const Plain = WebSocket;
window.sockets = [];
window.WebSocket = class extends Plain { constructor(...all) { super(...all); window.sockets.push(this); } };
"""
STATE = "document.body.dataset.state"
SAID = "[...document.querySelectorAll('#them .said')].map((each) => each.textContent).join('').trim()"
LOG = "[...document.querySelectorAll('#log p')].map((each) => each.lastChild.textContent)"
AFTER = f"{LOG}.slice({LOG}.lastIndexOf({json.dumps(LONG)}) + 1)"  # what was said since
FIGURES = "Object.assign({}, document.querySelector('#figures').dataset)"


@pytest.fixture(scope="module")
def address(built, tmp_path_factory) -> Iterator[str]:
    """A server of joe, as a user starts it."""
    for library in ("fastapi", "uvicorn", "websockets", "av", "numba"):
        pytest.importorskip(library)
    command = [sys.executable, "-m", "mien", "serve", "--port", "0", "--persona", "joe", "--grace", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line.startswith("talk to joe: "), line
    yield line.rpartition(" ")[2].strip()
    process.terminate()
    assert process.wait(30) == 0
    process.stdout.close()


@pytest.fixture(scope="module")
def voice(tmp_path_factory) -> Path:
    try:
        recording = read(packs.path("samples") / "two_cities.wav")
    except MissingError as error:
        pytest.skip(str(error))
    rate = recording.rate_hz
    said = recording.cut(round(4.9 * rate), round(6.45 * rate))
    before, after = (Pcm.silence(seconds, rate) for seconds in PAUSE_S)
    file = tmp_path_factory.mktemp("voice") / "question.wav"
    write(file, Pcm.join([before, said, after], rate))
    return file


@pytest.fixture(scope="module")
def talking(address, voice, tmp_path_factory) -> Iterator[Page]:
    """The page while it is talked to; the user's voice comes every nine seconds."""
    flags = (*DRAWN, *HEARD, f"--use-file-for-fake-audio-capture={voice}")
    with opened(tmp_path_factory.mktemp("profile"), *flags) as page:
        page.call("Page.setBypassCSP", enabled=True)  # for axe alone; the console is watched
        page.call("Page.addScriptToEvaluateOnNewDocument", source=WATCHED)
        page.size(640, 480)
        visit(page, address)
        page.click("#start")
        yield page


def visit(page: Page, address: str) -> None:
    page.call("Page.navigate", url=address)
    page.until("document.body?.dataset.phase === 'ready'")


def ask(page: Page, words: str) -> None:
    page.run("document.querySelector('#text').focus()")
    page.call("Input.insertText", text=words)
    page.press("Enter", "Enter", 13, "\r")


def test_a_spoken_question_is_answered_with_captions_and_figures(talking):
    talking.until(f"{STATE} === 'hearing'")
    talking.until(f"{STATE} === 'speaking'")
    partly = talking.until(SAID)
    spoken, answered = talking.until(f"{LOG}.length >= 2 && {LOG}.slice(0, 2)")
    assert "age of wisdom" in spoken.lower()
    assert re.match("all right, you said: .*the age of wisdom", answered.lower())
    assert len(partly) < len(answered)
    assert talking.run("document.querySelector('#live').textContent")
    talking.until("document.querySelectorAll('#bars .bar').length >= 6")


def test_the_user_s_voice_ends_a_long_answer_and_is_answered(talking):
    talking.until(f"{STATE} === 'listening'")
    ask(talking, LONG)
    broken = talking.until(f"{AFTER}.slice(1).some((each) => /age of wisdom/i.test(each)) && {AFTER}[0]")
    assert broken.startswith("All right, you said")
    assert len(broken) < len(LONG), "the answer was heard to its end"
    assert talking.run("document.querySelector('#you').textContent").lower().count("wisdom") == 1


def test_escape_ends_an_answer(talking):
    talking.until(f"{STATE} === 'listening'")
    ask(talking, LONG)
    talking.until(f"{STATE} === 'speaking' && {SAID}.length > 12")
    talking.press("Escape", "Escape", 27)
    took = talking.run(
        "new Promise((done) => { const began = performance.now(); const look = () =>"
        f" ({STATE} === 'speaking' ? setTimeout(look, 5) : done(performance.now() - began)); look(); }})"
    )
    assert took < 1000
    assert len(talking.until(f"{AFTER}[0]")) < len(LONG)


def test_typed_words_end_an_answer_too(talking):
    talking.until(f"{STATE} === 'listening'")
    ask(talking, LONG)
    talking.until(f"{STATE} === 'speaking' && {SAID}.length > 12")
    ask(talking, "The moon is full")
    said = f"{LOG}.slice({LOG}.lastIndexOf('The moon is full'))"
    answer = talking.until(f"{said}.find((each, at) => at && /^all right, you said/i.test(each))")
    assert "the moon is full" in answer.lower()


def test_the_face_keeps_time_with_the_voice(talking):
    found = {key: float(value) for key, value in talking.run(FIGURES).items()}
    assert found["p50"] <= OFFSET_MS
    assert found["fps"] > 0.5


def test_a_lost_connection_comes_back_to_the_same_conversation(talking):
    before = talking.run("document.querySelectorAll('#log p').length")
    talking.run("sockets.at(-1).close(4000)")
    talking.until(f"{STATE} === 'lost'")
    talking.until(f"{STATE} !== 'lost'")
    assert "session=sess_" in talking.run("sockets.at(-1).url")
    assert talking.run("document.querySelectorAll('#log p').length") >= before


def test_the_page_can_be_used_by_all(talking):
    talking.run((ROOT / "web/node_modules/axe-core/axe.min.js").read_text("utf-8") + "; 0")
    named = "({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]"
    told = talking.run(f"axe.run().then(({{ violations }}) => violations.map({named}))")
    assert told == []
    talking.click("#details")
    assert talking.run("document.activeElement.id") == "shut"
    talking.press("Escape", "Escape", 27)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_is_cut_off_on_a_narrow_screen(talking, language):
    talking.size(360, 740)
    change = f"each.value = '{language}'; each.dispatchEvent(new Event('change'));"
    talking.run(f"(() => {{ const each = document.querySelector('#language'); {change} }})()")
    assert talking.run("document.documentElement.scrollWidth") <= 360
    out = talking.run(
        "[...document.querySelectorAll('button, input, select, #state')].filter((each) => each.offsetParent)"
        ".map((each) => [each.id, each.getBoundingClientRect()])"
        ".filter(([_, { left, right, bottom }]) => left < 0 || right > 360 || bottom > innerHeight)"
    )
    assert out == []
    assert talking.run("document.documentElement.lang").startswith(language)


def test_the_browser_complains_of_nothing(talking):
    assert talking.complaints == []


def test_without_webgl_and_without_microphone_one_can_still_talk(address, tmp_path):
    flags = ("--disable-3d-apis", "--use-fake-device-for-media-stream")
    with opened(tmp_path, *flags) as page:
        page.call("Browser.setPermission", permission={"name": "microphone"}, setting="denied")
        page.size(360, 640)
        visit(page, address)
        assert page.run("document.querySelector('#notice').dataset.about") == "nowebgl"
        page.click("#start")
        page.until("document.querySelector('#notice').dataset.about === 'denied'")
        page.until(f"{STATE} === 'listening'")
        first = pixels(page)
        assert first.std() > 10
        ask(page, "Good morning, how are you?")
        page.until(f"{STATE} === 'speaking' && {SAID}.length > 8")
        assert np.abs(pixels(page) - first).max() > 3
        assert page.complaints == []


def pixels(page: Page) -> np.ndarray:
    """The person's picture as it is now, made small, once there is one."""
    script = (
        "(() => { const small = new OffscreenCanvas(24, 24).getContext('2d');"
        " small.drawImage(document.querySelector('#person'), 0, 0, 24, 24);"
        " return Array.from(small.getImageData(0, 0, 24, 24).data.filter((_, at) => at % 4 < 3)); })()"
    )
    return np.array(page.until(f"((all) => all.some((each) => each > 0) && all)({script})"), np.int16)


def test_its_parts_alone(built):
    command = ["npm", "test", "--silent"]
    done = subprocess.run(command, cwd=ROOT / "web", capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
