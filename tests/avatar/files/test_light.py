from __future__ import annotations

from dataclasses import replace

import numpy as np

from mien.avatar.files import glb, light


def test_every_material_says_what_it_is(tiny):
    document = glb.document_of(tiny).json
    said = {material["name"]: material["extras"]["mien"] for material in document["materials"]}
    assert said["skin"] == {"kind": "skin"}
    assert said["eye_left"]["kind"] == "eye"
    assert np.allclose(said["eye_left"]["iris"], tiny.iris)


def test_every_part_carries_its_light(tiny):
    document = glb.document_of(tiny).json
    carried = {mesh["name"]: set(mesh["primitives"][0]["attributes"]) for mesh in document["meshes"]}
    assert all("_LIGHT" in names for names in carried.values())
    assert {"_EXTRA", "TANGENT"} <= carried["skin"]
    assert {"_EXTRA", "TEXCOORD_0"} <= carried["hair"]
    assert "_EXTRA" not in carried["cloth"]


def test_a_plain_document_has_only_what_gltf_knows(tiny):
    document = glb.document_of(tiny, quantise=False).json
    assert not any("_LIGHT" in mesh["primitives"][0]["attributes"] for mesh in document["meshes"])
    assert not any("extras" in material for material in document["materials"])


def test_gloss_becomes_less_roughness(tiny):
    assert np.array_equal(light.rough(tiny)[..., 1], 255 - tiny.skin[..., 3])


def test_relief_is_a_unit_normal(tiny):
    assert light.relief(tiny) is None
    flat = replace(tiny, skin_detail=np.full((8, 8, 2), 128, np.uint8))
    assert (light.relief(flat) == (128, 128, 255)).all()
    large = replace(tiny, skin_detail=np.full((1024, 1024, 2), 128, np.uint8))
    assert light.relief(large).shape == (512, 512, 3)
