"""The page in a real browser: sliders, undo, export, narrow screens."""

from __future__ import annotations

import pytest

from mien.avatar import load
from mien.avatar.fields import values_of
from mien.avatar.sources import person_of

CANVAS = "document.getElementById('picture')"
PIXELS = f"{CANVAS}.toDataURL()"


@pytest.fixture(scope="module")
def page(served, browser_page, tmp_path_factory):
    """The studio's page, with the finished head of ava in it."""
    load("ava")
    browser_page.call("Page.navigate", url=served.address)
    browser_page.until("document.getElementById('f-age')")
    browser_page.until(f"{CANVAS}.dataset.generation > 0")
    return browser_page


def act(page, script):
    """Do something in the page, and return the picture that follows."""
    return after(page, lambda: page.run(f"(() => {{ {script} }})()"))


def after(page, do):
    before = page.run(f"+{CANVAS}.dataset.generation")
    do()
    page.until(f"+{CANVAS}.dataset.generation > {before}")
    return page.run(PIXELS)


def slide(page, key, value):
    move = f"const e = document.getElementById('f-{key}'); e.value = {value};"
    return act(page, move + "e.dispatchEvent(new Event('input')); e.dispatchEvent(new Event('change'));")


def press_z(page, shift=False):
    """Press Ctrl+Z, or Ctrl+Shift+Z, and return the picture that follows."""
    key = {"key": "Z" if shift else "z", "code": "KeyZ", "modifiers": 10 if shift else 2}
    return after(page, lambda: page.call("Input.dispatchKeyEvent", type="rawKeyDown", **key))


def test_a_slider_changes_the_picture_and_undo_brings_it_back(page):
    first = act(page, "document.querySelector('[role=radio][title^=joe]').click();")
    wide = slide(page, "nose_width", 0.9)
    assert wide != first
    assert slide(page, "nose_width", 0.9) == wide
    press_z(page)
    assert press_z(page) == first
    assert page.run("document.getElementById('f-nose_width').value") == "0"
    press_z(page, shift=True)
    assert press_z(page) == first


def test_a_slider_on_the_move_is_one_step(page):
    before = page.run("document.getElementById('f-jaw').value")
    for value in (0.5, 0.7):
        act(
            page,
            f"const e = document.getElementById('f-jaw'); e.value = {value};"
            "e.dispatchEvent(new Event('input'));",
        )
    page.run("document.getElementById('f-jaw').dispatchEvent(new Event('change'))")
    press_z(page)
    page.until(f"document.getElementById('f-jaw').value === '{before}'")


def test_the_head_turns_and_smiles(page):
    still = page.run(PIXELS)
    turned = act(
        page, "const e = document.getElementById('yaw'); e.value = 25; e.dispatchEvent(new Event('input'));"
    )
    smiling = act(
        page, "[...document.querySelectorAll('[role=radio]')].find((b) => b.textContent === 'smile').click();"
    )
    assert len({still, turned, smiling}) == 3


def test_an_error_is_a_toast_in_the_library_s_words(page):
    page.run("document.getElementById('name').value = '../me'")
    page.run(
        "document.getElementById('export').noValidate = true;"
        "document.querySelector('button[value=toml]').click()"
    )
    said = page.until("document.querySelector('.toast.bad span')?.textContent")
    assert said.startswith("a person can not be called '../me'")
    page.run("document.getElementById('name').value = 'me'")
    page.complaints.clear()  # the browser notes the status 400


def test_an_exported_glb_is_the_person_of_the_page(page, tmp_path):
    page.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path), eventsEnabled=True)
    act(page, "document.querySelector('[role=radio][title^=ava]').click();")
    page.run("document.querySelector('button[value=glb]').click()")
    page.until("[...document.querySelectorAll('.toast')].some((t) => t.textContent.includes('Saved me.glb'))")
    page.heard("Browser.downloadProgress", state="completed")
    person = person_of(tmp_path / "me.glb")
    assert values_of(person) == values_of(person_of("ava"))
    assert load(tmp_path / "me.glb").part("skin").morphs.keys() >= {"jawOpen", "eyeBlinkLeft"}


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_is_cut_off(page, width):
    page.size(width, 800)
    page.run("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    assert page.run("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    wide = page.run(
        "[...document.querySelectorAll('button, input, select')]"
        ".filter((e) => e.getBoundingClientRect().right > innerWidth).map((e) => e.outerHTML)"
    )
    assert wide == []


def test_every_control_has_a_name_and_the_page_complains_of_nothing(page):
    nameless = page.run(
        "[...document.querySelectorAll('button, input, select')].filter((e) =>"
        " !(e.labels?.length || e.textContent.trim() || e.ariaLabel || e.title)).map((e) => e.outerHTML)"
    )
    assert nameless == []
    assert page.complaints == []
