import re
from importlib import metadata

import pytest

from mien.cli.missing import EXTRAS, told

SHIPPED_AS = {"PIL": "pillow", "yaml": "pyyaml"}


def spelt(name):
    return name.replace("_", "-").lower()


@pytest.mark.parametrize(("module", "extra"), EXTRAS.items())
def test_the_extra_brings_the_library(module, extra):
    brought = {
        spelt(re.match(r"[\w.-]+", text)[0])
        for text in metadata.requires("mien")
        if re.search(rf"extra\s*==\s*['\"]{extra}['\"]", text)
    }
    assert spelt(SHIPPED_AS.get(module, module)) in brought


def test_it_is_told_in_one_line():
    message = told(ModuleNotFoundError("No module named 'scipy.sparse'", name="scipy.sparse"))
    assert message == "scipy is not installed; run: pip install 'mien[video]'"


@pytest.mark.parametrize("module", ["mien.nothing", "numpy", None])
def test_what_no_extra_brings_is_an_error_as_it_is(module):
    assert told(ModuleNotFoundError("No module", name=module)) is None
