"""People by chance, as one might meet them: the same seed gives the same person."""

from __future__ import annotations

import random

from mien.avatar.build.person import people, read_person
from mien.avatar.fields import Value, Values, fields, values_of

SPREAD = 0.28  # of a feature's slider, as a standard deviation
LONG = ("bob", "long", "bun", "updo", "ponytail", "wavy")
DARK, FAIR = ("black", "dark", "brown"), ("dark", "brown", "chestnut", "auburn", "red", "blond")
GREYING, WHITE = 50.0, 68.0  # years from which hair may be grey, and white


def values(seed: int) -> dict[str, Value]:
    """Return the values of a plausible person: what goes together in people goes together here."""
    pick = random.Random(seed)
    like = pick.choice(people())
    own = values_of(read_person(like))
    age = round(pick.triangular(18, 82, 34))
    found: dict[str, Value] = {"like": like, "age": age}
    found |= {"weight": _near(pick, 0.48, 0.16), "muscle": _near(pick, 0.5, 0.12)}
    for each in fields():
        if each.targets is not None:
            shifted = float(own[each.key]) + pick.gauss(0, SPREAD) * (each.high - each.low) / 2
            found[each.key] = round(max(each.low, min(each.high, shifted)), 2)
    return found | _hair(pick, own, age) | _worn(pick)


def _near(pick: random.Random, middle: float, spread: float) -> float:
    return round(max(0.1, min(0.95, pick.gauss(middle, spread))), 2)


def _hair(pick: random.Random, own: Values, age: float) -> dict[str, Value]:
    male = float(own["gender"]) < 0.5
    styles = [name for name in _choices("hair") if not (male and any(word in name for word in LONG))]
    if not male:
        styles = [name for name in styles if name != "bald"]
    colors: tuple[str, ...] = FAIR if float(own["caucasian"]) > 0.6 else DARK
    if age > GREYING and pick.random() < (age - GREYING + 10) / 40:
        colors = ("white", "grey") if age > WHITE else ("grey",)
    color = pick.choice(colors)
    found: dict[str, Value] = {"hair": pick.choice(styles), "hair_color": color}
    if male and pick.random() < 0.45:
        found |= {"beard": pick.choice([name for name in _choices("beard") if name != "none"])}
    return found


def _worn(pick: random.Random) -> dict[str, Value]:
    found: dict[str, Value] = {"outfit": pick.choice(_choices("outfit"))}
    found["jacket"] = pick.choice([name for name in _choices("jacket") if name != "white"])
    found["lapel"] = found["jacket"]
    frames = [name for name in _choices("glasses") if name != "none"]
    found["glasses"] = pick.choice(frames) if pick.random() < 0.3 else "none"
    return found


def _choices(key: str) -> tuple[str, ...]:
    return next(each.choices for each in fields() if each.key == key)
