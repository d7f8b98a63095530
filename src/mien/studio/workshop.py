"""Heads while they are changed: first a draft, of what was made before where it fits, then the whole."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace

from scipy.spatial import cKDTree

from mien import packs
from mien.avatar import cache
from mien.avatar.build import assemble
from mien.avatar.build.beard import make_beard
from mien.avatar.build.brows import make_brows
from mien.avatar.build.clothes import drop_covered, make_clothes
from mien.avatar.build.draft import Cast, Draft
from mien.avatar.build.eyes import make_eyes
from mien.avatar.build.glasses import make_glasses
from mien.avatar.build.hair import hair_style, make_hair
from mien.avatar.build.human import Doubles, Human, Indices, read_human
from mien.avatar.build.lashes import make_lashes
from mien.avatar.build.mouth import make_teeth
from mien.avatar.build.paint import Picture, paint
from mien.avatar.build.person import Person, people, read_person
from mien.avatar.build.scalp import make_scalp, scalp_shade
from mien.avatar.build.skin import Skin, make_skin
from mien.avatar.build.tears import make_tears
from mien.avatar.build.tongue import make_tongue
from mien.avatar.model import Avatar
from mien.progress import Progress
from mien.studio.light import Lamp, unlit
from mien.studio.memory import Memory
from mien.studio.poses import needed

COARSE = 384  # texels of a draft's skin
Check = Callable[[], None]
"""Raises when the result is no longer wanted."""


@dataclass(frozen=True, slots=True, eq=False)
class Grown:
    """Hair and, for each vertex of each draft, the place on the skin's texture of the skin vertex that it is
    nearest to (N, 2), and where that one was (N, 3).
    """

    hair: list[Draft]
    roots: list[tuple[Doubles, Doubles]]


class Workshop:
    """Builds heads for one page after another; not for several threads at once."""

    def __init__(self) -> None:
        self._memory, self._whole = Memory(), Memory(most=6)
        self._lamp: Lamp | None = None
        self._lit: Person | None = None

    def known(self, person: Person) -> bool:
        """Return whether the whole head is there already."""
        return self._whole.has("head", _key(person))

    def whole(self, person: Person, progress: Progress) -> Avatar:
        """Return the head as it will be written; raises what `progress` and the builder raise."""
        head = self._whole.get("head", _key(person), lambda: _build(person, progress))
        self._lamp, self._lit = Lamp(head), person
        return head

    def draft(self, person: Person, check: Check) -> Avatar:
        """Return the head with coarse paint and the light of the last whole one."""
        human = read_human(packs.path("human"))
        cast = self._cast(human, person, check)
        skin = self._skin(human, cast, person, check)
        skin, scalp, drafts = self._parts(human, cast, skin, person, check)
        origin = (cast.eyes[0] + cast.eyes[1]) / 2
        if self._lamp is not None:
            self._lamp.shine(drafts, origin)
        else:
            for part in drafts:
                part.occlusion, part.key_light = unlit(part)
        check()
        pictures = self._pictures(human, cast, skin, scalp, person)
        return assemble.finish(cast, drafts, pictures, person)

    def _cast(self, human: Human, person: Person, check: Check) -> Cast:
        def make() -> Cast:
            cast = assemble.make_cast(human, person)
            return replace(
                cast, face_units={name: cast.face_units[name] for name in cast.face_units if needed(name)}
            )

        cast = self._memory.get("cast", _shape(person), make)
        check()
        return cast

    def _skin(self, human: Human, cast: Cast, person: Person, check: Check) -> Skin:
        skin = self._memory.get("skin", _shape(person), lambda: make_skin(human, cast))
        check()
        return replace(skin, draft=replace(skin.draft))

    def _parts(
        self, human: Human, cast: Cast, skin: Skin, person: Person, check: Check
    ) -> tuple[Skin, Doubles, list[Draft]]:
        """Return the skin without what is covered, its height above the hairline, and all parts."""
        shape, get = _shape(person), self._memory.get
        clothes, neckline = get(
            "clothes", (shape, person.clothes), lambda: make_clothes(human, cast, person.clothes)
        )
        check()
        hair = self._hair(skin, clothes, person)
        check()
        beard = get("beard", (shape, person.beard), lambda: make_beard(human, skin, person.beard))
        glasses = get("glasses", (shape, person.glasses), lambda: make_glasses(cast, skin, person.glasses))
        looks = (shape, person.strands, person.skin.albedo)
        lashes = get("lashes", looks, lambda: make_lashes(human, cast, person.strands, person.skin.albedo))
        brows = get("brows", looks, lambda: make_brows(cast, skin, person.strands, person.skin.albedo))
        check()
        inner = get("inner", (shape, person.skin.lines), lambda: _inner(human, cast, person))
        scalp = scalp_shade(skin, hair_style(person.hair.style))
        drop_covered(skin.draft, neckline)
        made = [*inner, lashes, brows, *hair, *beard, *glasses, *clothes]
        return skin, scalp, [skin.draft, *(replace(part) for part in made)]

    def _hair(self, skin: Skin, clothes: list[Draft], person: Person) -> list[Draft]:
        """Return hair that moves with the skin that it grew on: whole heads grow it anew."""

        def grow() -> Grown:
            hair = make_hair(make_scalp(skin, clothes), person.hair)
            tree = cKDTree(skin.draft.positions)
            return Grown(hair, [_roots(skin, tree.query(each.positions)[1]) for each in hair])

        grown = self._memory.get("hair", (person.clothes.outfit, person.hair), grow)
        tree = cKDTree(skin.draft.uvs)
        return [
            _carried(each, roots, skin, tree) for each, roots in zip(grown.hair, grown.roots, strict=True)
        ]

    def _pictures(
        self, human: Human, cast: Cast, skin: Skin, scalp: Doubles, person: Person
    ) -> tuple[Picture, Picture]:
        if self._lamp is not None and self._lit is not None and _paint(person) == _paint(self._lit):
            head = self._lamp.head
            if head.skin_detail is not None:
                return head.skin, head.skin_detail
        key = (_shape(person), _paint(person))
        return self._memory.get("paint", key, lambda: paint(human, cast, skin, scalp, person, COARSE))


def _roots(skin: Skin, near: Indices) -> tuple[Doubles, Doubles]:
    return skin.draft.uvs[near], skin.draft.positions[near]


def _carried(hair: Draft, roots: tuple[Doubles, Doubles], skin: Skin, tree: cKDTree) -> Draft:
    """Move hair with the skin that it grew on; `tree`: of the skin's uvs, which no shape changes."""
    places, before = roots
    now = skin.draft.positions[tree.query(places, workers=2)[1]]
    return replace(hair, positions=hair.positions + now - before)


def _inner(human: Human, cast: Cast, person: Person) -> list[Draft]:
    return [
        *make_eyes(cast),
        *make_teeth(cast, person.skin.lines),
        make_tongue(human, cast),
        *make_tears(human, cast),
    ]


def _build(person: Person, progress: Progress) -> Avatar:
    """Build a head; a built-in one that is kept is read."""
    for name in people():
        if _key(read_person(name)) == _key(person):
            return cache.load(name, progress)
    return assemble.build(person, lambda share, what: progress(what, share))


def keep(person: Person, head: Avatar) -> None:
    """Keep a whole head where `mien` looks for it, so that it need not be built again to speak."""
    path = cache.cached_path(f"own_{person.name}", repr(person).encode())
    cache.keep(path, lambda: replace(head, name=person.name))


def _key(person: Person) -> Hashable:
    return repr(replace(person, name="", targets=dict(sorted(person.targets.items()))))


def _shape(person: Person) -> Hashable:
    return (person.phenotype, tuple(sorted(person.targets.items())), person.eyes.open)


def _paint(person: Person) -> Hashable:
    """Return what the skin's picture shows, besides the shape."""
    strands = person.strands
    return (person.skin, person.hair.style, person.beard, strands.brow_heights, strands.brow_thickness)
