"""The page where tokens are wanted and there is one place: who is let in, and who is told why not."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from tests.browser import Page, opened
from tests.web.test_page import DRAWN, HEARD, LOG, STATE, ask, visit

from mien.persona import spec as specs

jwt = pytest.importorskip("jwt")
SECRET = b"a secret of thirty-two bytes, or more"
INTENTS = """
lost:
  examples:
    en: [I lost my card, my card is gone, I can not find my card]
  answer: ["I am sorry to hear that."]
  then: hand_over
"""
NOTICE = "document.querySelector('#notice').dataset.about"
HELD = "document.querySelector('#mic').classList.contains('down')"
FOCUS = "document.activeElement.id"


def token(**other) -> str:
    claims = {"aud": "mien", "sub": "lobby", "exp": time.time() + 600}
    return jwt.encode(claims | other, SECRET, "HS256")


@pytest.fixture(scope="module")
def guarded(built, tmp_path_factory) -> Iterator[str]:
    """A server of one place, with a key, and a persona that hands over."""
    folder = tmp_path_factory.mktemp("lobby")
    (folder / "key").write_bytes(SECRET)
    mind = folder / "desk" / "mind"
    mind.mkdir(parents=True)
    (mind / "intents.yaml").write_text(INTENTS)
    (mind.parent / "persona.toml").write_text((specs.folders()[-1] / "joe.toml").read_text())
    options = ["--port", "0", "--persona", "desk", "--grace", "0", "--sessions", "1"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MIEN_PERSONAS", str(folder))
        command = [sys.executable, "-m", "mien", "serve", *options, "--jwt-key", folder / "key"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            line = process.stdout.readline()
            assert line.startswith("talk to desk: "), line
            yield line.rpartition(" ")[2].strip()
            process.terminate()
            assert process.wait(30) == 0


@pytest.fixture(scope="module")
def inside(guarded, tmp_path_factory) -> Iterator[Page]:
    """The page with a good token."""
    with opened(tmp_path_factory.mktemp("profile"), *DRAWN, *HEARD) as page:
        page.size(360, 640)
        visit(page, f"{guarded}#token={token()}")
        yield page


def press(page: Page, key: str) -> None:
    page.press(*{"Tab": ("Tab", "Tab", 9), "Enter": ("Enter", "Enter", 13, "\r")}[key])


def test_one_comes_in_and_talks_by_keyboard_alone(inside):
    for _ in range(12):
        press(inside, "Tab")
        if inside.run(FOCUS) == "start":
            break
    press(inside, "Enter")
    inside.until(f"{STATE} === 'listening'")
    for _ in range(12):
        if inside.run(FOCUS) == "ptt":
            break
        press(inside, "Tab")
    inside.press(" ", "Space", 32, " ")
    assert inside.run("document.querySelector('#ptt').checked")


def test_the_space_bar_is_held_to_talk(inside):
    inside.until("document.querySelector('#mic').title === 'Hold to talk'")
    inside.until(
        f"dispatchEvent(new KeyboardEvent('keydown', {{ code: 'Space' }})) && {HELD}"
    )  # once it is open
    inside.until(f"{STATE} === 'hearing'")
    inside.call("Input.dispatchKeyEvent", type="keyUp", key=" ", code="Space", windowsVirtualKeyCode=32)
    inside.until(f"!{HELD}")
    inside.until(f"{STATE} === 'listening'")


def test_a_hand_over_is_shown_and_kept(inside):
    ask(inside, "I lost my card")
    inside.until(f"{NOTICE} === 'handOver' && !document.querySelector('#notice').hidden")
    inside.until(f"{STATE} === 'listening'")
    assert "colleague" in inside.run("document.querySelector('#said').textContent")
    assert any("colleague" in line for line in inside.run(LOG))
    assert inside.run("document.documentElement.scrollWidth") <= 360


def test_who_comes_too_late_is_told_that_all_places_are_taken_until_one_is_free(inside, guarded, tmp_path):
    with opened(tmp_path, *DRAWN, *HEARD) as page:
        visit(page, f"{guarded}#token={token()}")
        page.click("#type")
        page.until(f"{STATE} === 'busy' && {NOTICE} === 'busy'")
        assert "All places are taken" in page.run("document.querySelector('#said').textContent")
        inside.call("Page.navigate", url="about:blank")
        page.until(f"{STATE} === 'listening'")
        assert page.run("document.querySelector('#notice').hidden")
        page.call("Page.navigate", url="about:blank")


@pytest.mark.parametrize("given", ["", "#token=nonsense", f"#token={token(exp=time.time() - 60)}"])
def test_who_has_no_good_token_is_told_so_and_not_kept_waiting(guarded, given, tmp_path):
    with opened(tmp_path, *DRAWN, *HEARD) as page:
        page.call("Page.navigate", url=f"{guarded}{given}")
        page.until("document.querySelector('#type') && !document.querySelector('#type').disabled")
        page.click("#type")
        page.until(f"{STATE} === 'refused' && {NOTICE} === 'refused'")
        assert "valid link" in page.run("document.querySelector('#said').textContent")


def test_who_comes_back_with_a_token_that_is_good_once_is_told_so_and_not_kept_waiting(guarded, tmp_path):
    with opened(tmp_path, *DRAWN, *HEARD) as page:
        address = f"{guarded}#token={token(jti='ticket')}"
        visit(page, address)
        page.click("#type")
        page.until(f"{STATE} === 'listening'")
        page.call("Page.navigate", url="about:blank")
        page.call("Page.navigate", url=address)
        page.until("document.querySelector('#type') && !document.querySelector('#type').disabled")
        page.click("#type")
        page.until(f"{STATE} === 'refused' && {NOTICE} === 'refused'")
