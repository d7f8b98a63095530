import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from mien.check import compatibility, coverage, elsewhere, profiles
from mien.engine import targets
from mien.errors import CorruptError, InputError

PAGE = Path(__file__).parents[2] / "docs" / "compatibility.md"
TABLES = Path(coverage.__file__).parent / "operators"
KNOWN = {"here": profiles.Source("run", "2026-12-01")}
GOOD = """title = "x"
kind = "cpu"
system = "y"
[[backends]]
name = "b"
on = "CPU"
versions = "1"
precisions = ["fp32"]
ask = ""
how = "run"
source = "here"
[[claims]]
about = "memory"
what = "1 GB"
how = "run"
source = "here"
"""
ASKED = """
linux-x64-avx2 linux-x64-avx512 linux-arm64-kylin-v10 linux-arm64-openeuler-22.03 jetson-orin
jetson-xavier-nx windows-x64 macos-arm64 android-arm64 ios browser-webgl2 browser-webgpu browser-wasm-simd
gpu-t4 gpu-a10 gpu-a100 gpu-h100 gpu-h200 gpu-l4 gpu-l40s gpu-rtx-30 gpu-rtx-40 gpu-rtx-50
"""


def test_all_machines_have_a_profile():
    assert set(ASKED.split()) == set(profiles.names())


@pytest.mark.parametrize("name", profiles.names())
def test_each_can_be_read_and_asked(name):
    profile = profiles.profile(name)
    assert profile.backends
    if profile.engine:
        targets.choose(profile.engine)
    for backend in profile.backends:
        coverage.check_ask(backend.ask)


def test_what_was_run_names_a_run():
    for profile in profiles.select("all"):
        for claim in (*profile.claims, *profile.backends):
            assert (claim.how != "run") or claim.source in (
                "here-x64",
                "here-h200",
                "here-h200-smi",
                "wheels",
            ), claim


def test_the_page_is_current():
    assert PAGE.read_text("utf-8") == compatibility.page(), "run: make compatibility"


def test_a_vendors_word_was_read():
    assert profiles.parse("x", GOOD.replace('"run"', '"recalled"'), KNOWN).claims[0].how == "recalled"
    for how in ("vendor", "reported"):
        with pytest.raises(CorruptError, match="'here' was not opened: say how = 'recalled'"):
            profiles.parse("x", GOOD.replace('how = "run"', f'how = "{how}"', 1), KNOWN)
    opened = {"here": replace(KNOWN["here"], read="2026-12-01")}
    assert profiles.parse("x", GOOD.replace('"run"', '"vendor"'), opened).claims[0].how == "vendor"


@pytest.mark.parametrize("file", sorted(TABLES.glob("*.toml")), ids=lambda file: file.stem)
def test_tables_of_operators_were_read(file):
    table = tomllib.loads(file.read_text("utf-8"))
    assert profiles.sources()[table["source"]].read
    assert set(table["conditions"]) <= set(table["operators"].split())


def test_recalled_figures_are_told_apart():
    (l4,) = profiles.select("gpu-l4")
    told = {each.line: each.evidence for each in elsewhere.findings(l4)}
    assert "not looked up again" in told["2 NVENC"]
    assert told["72 W"].startswith("somebody else says so: AI Wiki")
    assert told["72 W"].endswith("opened 2026-12-01)\nhttps://aiwiki.ai/wiki/nvidia_l4")
    page = compatibility.page()
    assert "- power: ◇ 72 W [l4-wiki](#sources)" in page
    assert "- encode: ? 2 NVENC [nvenc](#sources)" in page


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('how = "run"', 'how = "guessed"', "guessed"),
        ('source = "here"', 'source = "hearsay"', "hearsay"),
        ('kind = "cpu"', 'kind = "toaster"', "toaster"),
        ('about = "memory"', 'about = "memroy"', "did you mean 'memory'"),
        ("title", "tittle", "did you mean 'title'"),
        ("[[claims]]", "[[claims", "not usable"),
    ],
)
def test_a_claim_without_a_source_is_refused(old, new, told):
    assert profiles.parse("x", GOOD, KNOWN).about("memory")[0].what == "1 GB"
    with pytest.raises(CorruptError, match=told):
        profiles.parse("x", GOOD.replace(old, new, 1), KNOWN)


def test_an_unknown_target_names_the_nearest():
    with pytest.raises(InputError, match="did you mean 'gpu-t4'"):
        profiles.select("gpu-t5")
    assert [profile.name for profile in profiles.select("ios,gpu-t4")] == ["ios", "gpu-t4"]
