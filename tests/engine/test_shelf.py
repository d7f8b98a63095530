import os
import time

import pytest

from mien.engine import shelf
from mien.engine.compile import compile_model
from mien.engine.request import Request


@pytest.fixture
def engine(own_cache, net_file):
    return compile_model(Request(net_file)).folder


def test_an_empty_cache(own_cache):
    assert shelf.entries() == []
    assert shelf.prune(everything=True) == []


def test_what_fits_stays(engine):
    assert [(e.path, e.state) for e in shelf.entries()] == [(engine, "fits")]
    assert shelf.prune() == []
    assert shelf.prune(older_than_days=1) == []
    assert engine.is_dir()


def test_what_does_not_fit_and_what_is_broken_goes(engine):
    (engine / "manifest.json").write_text("{}")
    assert "has format None" in shelf.entries()[0].state
    assert [e.path for e in shelf.prune()] == [engine]
    assert not engine.exists()


def test_age_and_all(engine):
    cut = engine.with_name("piper-1-abc")
    cut.mkdir()
    old = time.time() - 40 * 86_400
    os.utime(cut, (old, old))
    assert [e.path for e in shelf.prune(older_than_days=30)] == [cut]
    assert [e.path for e in shelf.prune(everything=True)] == [engine]


def test_a_build_that_runs_is_left_and_an_abandoned_one_goes(own_cache):
    running = own_cache / ".new-1"
    running.mkdir(parents=True)
    assert shelf.entries() == []
    old = time.time() - 7_200
    os.utime(running, (old, old))
    assert [e.state for e in shelf.prune()] == ["left over"]
