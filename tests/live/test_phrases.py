import asyncio

from mien.live import minds, phrases
from mien.live.mind import Said
from mien.live.phrases import Opening
from mien.persona import Persona


def texts(opening, persona):
    return [breath.text for breath in phrases._first(opening, persona)]


def test_only_the_first_words_of_an_answer_are_spoken_ahead():
    persona = Persona.load("joe")
    long = Opening([Said("We are open from nine to five, Monday to Friday. On Saturday we close at noon.")])
    assert texts(long, persona) == ["We are open from nine to five,"]
    assert texts(Opening([Said("Yes. Of course I can.")]), persona) == ["Yes.", "Of course I can."]


def test_nothing_is_spoken_ahead_that_what_follows_might_change():
    persona = Persona.load("joe")
    assert texts(Opening([Said("Your balance is ")], ends=False), persona) == []
    assert texts(Opening([Said("Thank you. Your balance is ")], ends=False), persona) == ["Thank you."]


def test_a_bank_knows_how_its_answers_begin_in_both_languages():
    persona = Persona.load("bank")
    known = list(minds.load(persona).openings())
    languages = {piece.language for opening in known for piece in opening.pieces}
    assert languages == {"en", "zh"}
    assert not any("{" in piece.text for opening in known for piece in opening.pieces)
    assert any(not opening.ends for opening in known)


def test_prepared_answers_are_there_for_another_persona_of_the_process(tmp_path, monkeypatch):
    persona = Persona.load("joe")
    monkeypatch.setattr("mien.persona.persona.home", lambda: tmp_path)
    count = asyncio.run(phrases.prepare(persona, minds.load(persona)))
    kept = sorted(file.stat().st_mtime_ns for file in tmp_path.rglob("*.npz"))
    assert len(kept) == count == 4
    again = Persona.load("joe")
    asyncio.run(phrases.prepare(again, minds.load(again)))
    assert sorted(file.stat().st_mtime_ns for file in tmp_path.rglob("*.npz")) == kept
