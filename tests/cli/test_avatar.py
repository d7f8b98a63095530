"""`mien avatar` as its user meets it."""

from __future__ import annotations

import json
import tomllib

import numpy as np
import pytest
from PIL import Image

from mien.avatar import load
from mien.avatar.build.person import people
from mien.avatar.files import vrm


def test_list_names_everyone(run):
    code, out, _ = run("avatar", "list")
    assert code == 0
    assert all(name in out for name in people())


def test_a_recipe_is_made_and_read_again(run, tmp_path):
    code, out, _ = run(
        "avatar",
        "create",
        "--age",
        "45",
        "--gender",
        "0.8",
        "--ancestry",
        "asian=0.7,african=0.3",
        "-o",
        "me.toml",
    )
    assert (code, out.split(";")[0]) == (0, "made me.toml (a recipe)")
    recipe = tomllib.loads((tmp_path / "me.toml").read_text("utf-8"))
    assert recipe["phenotype"]["asian"] == 0.7


def test_a_file_of_our_own_is_worn_as_it_was_made(run, tmp_path):
    code, out, _ = run("avatar", "create", "--like", "ava", "--eyes", "green", "-o", "me.glb")
    assert code == 0
    assert "look at it: mien avatar show me.glb" in out
    assert (tmp_path / "me.glb").stat().st_size < 2_000_000
    run("avatar", "create", "--like", "ava", "--eyes", "green", "-o", "me.toml")
    worn, made = load("me.glb"), load("me.toml")
    assert [part.material for part in worn.parts] == [part.material for part in made.parts]
    for mine, theirs in zip(worn.parts, made.parts, strict=True):
        assert np.array_equal(mine.positions, theirs.positions)
        assert np.array_equal(mine.occlusion, theirs.occlusion)
    assert np.array_equal(worn.skin, made.skin)
    code, out, _ = run("avatar", "check", "me.glb", "--json")
    report = json.loads(out)
    assert (code, report["verdict"], set(report["arkit"].values())) == (0, "good", {"own"})


def test_a_head_is_shown_in_a_pose(run, tmp_path):
    for name, pose in (("a.png", "jawOpen=0"), ("b.png", "jawOpen=0.8,mouthSmile=0.2")):
        code, out, err = run("avatar", "show", "ava", "--pose", pose, "--size", "128x128", "-o", name)
        assert code == 0, err
        assert out.startswith(f"made {name}; ")
    a, b = (np.asarray(Image.open(tmp_path / name), int) for name in ("a.png", "b.png"))
    assert a.shape == (128, 128, 3)
    changed = np.abs(a - b).sum(axis=2) > 40
    assert changed[64:].sum() > 50
    assert changed[:40].sum() == 0  # brows and above


def test_check_tells_what_is_there_and_what_is_not(run, tmp_path):
    vrm.write(tmp_path / "their.vrm", load("ava"))
    code, out, _ = run("avatar", "check", "their.vrm")
    assert code == 0
    assert "VRM 1.0" in out
    assert "CC0" in out
    assert out.splitlines()[-1].startswith("their.vrm is good: ")


WRONG = [
    (["create", "--like", "avva", "-o", "a.glb"], "did you mean 'ava'"),
    (["create", "--age", "3", "-o", "a.glb"], "from 16 to 90"),
    (["create", "--ancestry", "asian", "-o", "a.glb"], "NAME=NUMBER"),
    (["create", "-o", "a.fbx"], "did you mean '.glb'"),
    (["create", "-o", "nowhere/a.toml"], "no folder nowhere"),
    (["create"], "--out"),
    (["show", "avva", "-o", "a.png"], "did you mean 'ava'"),
    (["show", "none.glb", "-o", "a.png"], "no head none.glb"),
    (["show", "none.obj", "-o", "a.png"], "give a name"),
    (["show", "ava", "--pose", "jawOpn=1", "-o", "a.png"], "did you mean 'jawOpen'"),
    (["show", "ava", "--pose", "jawOpen=7", "-o", "a.png"], "from 0 to 1"),
    (["show", "ava", "--yaw", "170", "-o", "a.png"], "-60 to 60"),
    (["check", "none.glb"], "no head none.glb"),
    (["check", "README.md"], ".glb"),
]


@pytest.mark.parametrize(("words", "message"), WRONG)
def test_errors_are_one_line_and_leave_nothing(run, tmp_path, words, message):
    code, _, err = run("avatar", *words)
    assert code != 0
    assert message in err
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []
