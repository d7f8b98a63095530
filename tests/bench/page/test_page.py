import re
from xml.etree import ElementTree

import pytest
from tests.bench.timed.conftest import made
from tests.browser import opened

from mien.bench.page import page
from mien.bench.page.elements import el, written
from mien.bench.page.frame import NARROW, WIDE
from mien.bench.page.lines import on_front
from mien.bench.page.scale import Scale, around, log_ticks, number, ticks
from mien.bench.timed.files import Report
from mien.bench.timed.plots import Front, Grid


@pytest.fixture
def report():
    grid = Grid("Models on targets", ("m",), ("gpu-l4",), {"m": {"gpu-l4": ("warning", "partly")}})
    return Report("mien bench all", [made(), made("startup", seed=2)], [("live", "no time")], [grid], 60, 58)


def test_the_page_needs_no_network_and_no_script(report):
    text = written(page.page(report))
    assert not re.findall(r"(?:src|href)=\"(?!#)|url\(|@import|<script", text)
    assert "A &lt;title&gt; &amp; more" in text


def test_every_plot_has_words_and_a_table_beside_it(report):
    root = page.page(report)
    plots = [each for each in root.iter("svg") if each.get("class") == "plot"]
    names = {each.get("id") for each in root.iter() if each.get("id")}
    assert len(plots) == 2 * (2 * (2 + 5) + 1)  # wide and narrow
    for plot in plots:
        assert all(name in names for name in plot.get("aria-labelledby").split())
        assert len(plot.find("desc").text) > 10
        assert float(plot.get("viewBox").split()[2]) in (WIDE, NARROW, 2 * WIDE)
    for pair in root.iter("div"):
        if pair.get("class") == "pair":
            assert pair.find(".//figure") is not None
            assert pair.find(".//table/tbody/tr") is not None


def test_what_was_left_out_and_what_disturbed_is_told(report):
    text = "".join(page.page(report).itertext())
    assert "live: no time" in text
    assert "The machine was quiet" in text
    report.results[0].noise = type(report.results[0].noise)(reasons=("others took 40%",))
    text = "".join(page.page(report).itertext())
    assert "The machine was not quiet during: engine" in text
    assert "others took 40%" in text


def test_a_browser_shows_it_without_scrolling_sideways(tmp_path, report):
    page.write(report, tmp_path / "report.html")
    with opened(tmp_path / "profile") as tab:
        tab.call("Page.navigate", url=(tmp_path / "report.html").as_uri())
        tab.heard("Page.loadEventFired")
        for width in (1280, 390, 320):
            tab.size(width, 900)
            assert tab.run("document.documentElement.scrollWidth") <= width
            hidden = "[...document.querySelectorAll('svg.plot')].filter(s => s.checkVisibility()).length"
            assert tab.run(hidden) == 15
        outside = """[...document.querySelectorAll('svg.plot text')].filter(t => {
            if (!t.checkVisibility()) return false;
            const own = t.getBoundingClientRect(), box = t.ownerSVGElement.getBoundingClientRect();
            return own.left < box.left - 1 || own.right > box.right + 1; }).map(t => t.textContent)"""
        for width in (1280, 390):
            tab.size(width, 900)
            assert tab.run(outside) == []
        assert tab.complaints == []


def test_elements_escape_and_leave_out():
    made_ = el("a", "x < y", el("b"), "tail", class_="c", stroke_width=2.0, title=None)
    assert ElementTree.tostring(made_, "unicode") == ('<a class="c" stroke-width="2">x &lt; y<b />tail</a>')


def test_round_values_at_the_axes():
    assert ticks(0, 103, 5) == [0, 50, 100]
    assert ticks(0.8, 3.1, 5) == pytest.approx([1, 1.5, 2, 2.5, 3])
    assert log_ticks(12, 250) == [20, 50, 100, 200]
    assert log_ticks(3, 250) == [3, 10, 30, 100]
    assert ticks(5, 5) == [5]


def test_scales():
    assert Scale(0, 10, 100, 200)(2.5) == 125
    assert Scale(1, 100, 0, 100, log=True)(10) == pytest.approx(50)
    assert Scale(0, 10, 0, 100)(99) == 100
    assert around([1, 1000], 0, 1).log
    assert not around([0, 1000], 0, 1).log
    assert around([], 0, 1)(0.5) > 0


@pytest.mark.parametrize(
    ("value", "told"),
    [(0, "0"), (1234.4, "1\u202f234"), (187.2, "187"), (23.44, "23.4"), (0.0612, "0.0612"), (2.0, "2")],
)
def test_numbers_as_one_reads_them(value, told):
    assert number(value) == told


def test_the_front_is_what_nothing_beats():
    points = (("a", 1.0, 5.0), ("b", 2.0, 1.0), ("c", 3.0, 6.0), ("d", 2.0, 1.0), ("e", 2.0, 2.0))
    assert on_front(Front("f", "x", "y", points)) == [0, 1, 3]
