import json

import pytest

from mien.engine.calibrate import Range
from mien.engine.precision import readback
from mien.engine.precision.shipped import Shipped, read
from mien.engine.targets import choose
from mien.errors import CorruptError

CPU = choose("cpu-avx2")
SECOND = {"r": Range(-2, 2), "c": Range(-3, 3)}


def test_a_plan_survives_its_file_and_is_carried_out(net, tmp_path):
    file = tmp_path / "plans.json"
    plan = Shipped(("second",), SECOND, {"third": "costly"}, {"samples": 3})
    file.write_text(json.dumps({"abc": plan.to_dict()}))
    assert read(file, "other") is None
    again = read(file, "abc")
    assert again == plan
    contained = readback.contained(again.applied(net, CPU))
    assert {name: contained[name] for name in ("first", "second", "third")} == {
        "first": "fp32",
        "second": "int8",
        "third": "fp32",
    }


def test_the_plan_of_another_model_is_told(net):
    with pytest.raises(CorruptError, match="no node 'fourth'"):
        Shipped(("fourth",), SECOND, {}, {}).applied(net, CPU)
    with pytest.raises(CorruptError, match="no range for 'c'"):
        Shipped(("second",), {"r": SECOND["r"]}, {}, {}).applied(net, CPU)
