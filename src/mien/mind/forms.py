"""Forms: ask, check, confirm, correct, cancel, digress and come back. Pure functions of state and words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mien.mind import values
from mien.mind.acts import Act, Call, HandOver, Say, Step
from mien.mind.content import Content, Slot, Topic
from mien.mind.digits import runs
from mien.mind.signals import Signal, begins, holds
from mien.mind.state import Form, MindState
from mien.mind.understand import Heard

DEEPEST = 3  # forms begun inside one another; the oldest goes


def enter(content: Content, state: MindState, topic: Topic, given: Mapping[str, str]) -> Step:
    """Begin a topic's form with what is already known, or do the topic at once when it asks for nothing."""
    others = tuple(form for form in state.forms if form.topic != topic.name)[-(DEEPEST - 1) :]
    return advance(content, replace(state, forms=(*others, Form(topic.name, dict(given)))))


def held_values(content: Content, topic: Topic, text: str) -> dict[str, str]:
    """Return what the words with which a form begins already say: "the balance of account 1234…"."""
    found = {
        slot.name: values.find(slot, text, content.manners)
        for slot in topic.slots
        if slot.kind in ("digits", "choice")
    }
    return {name: value for name, value in found.items() if value}


def advance(content: Content, state: MindState) -> Step:
    """Ask for what is missing, else have it confirmed, else do it."""
    form = state.forms[-1]
    topic = content.topics[form.topic]
    missing = next((slot for slot in topic.slots if slot.name not in form.values), None)
    if missing:
        form = replace(form, waiting="value", slot=missing.name)
    elif topic.confirm:
        form = replace(form, waiting="confirm", slot="")
    else:
        return finish(content, state)
    return replace(state, forms=(*state.forms[:-1], form)), (prompt(content, form, state.language),)


def finish(content: Content, state: MindState) -> Step:
    """Do what the last form was for."""
    form, topic = state.forms[-1], content.topics[state.forms[-1].topic]
    state = replace(state, forms=state.forms[:-1])
    if topic.action:
        return state, (Call(topic.name, dict(form.values)),)
    return ended(content, state, topic, Say(topic.answer, values.spoken(topic, form.values, state.language)))


def ended(content: Content, state: MindState, topic: Topic, *said: Say) -> Step:
    """Return what follows when a topic is done: a human, or the form that was left for it."""
    if topic.hands_over:
        return replace(state, forms=(), handed_over=True), (*said, HandOver(topic.name))
    return state, (*said, *_back(content, state))


def prompt(content: Content, form: Form, language: str) -> Say:
    """Return the question that a form waits for the answer to."""
    topic = content.topics[form.topic]
    if form.waiting == "confirm":
        return Say(topic.confirm, values.spoken(topic, form.values, language))
    if form.waiting == "change":
        return Say(content.manners.phrases["what_to_change"])
    return Say(topic.slot(form.slot).ask)


def answered(content: Content, state: MindState, heard: Heard) -> Step | None:
    """Take the words as the answer to the form's question; None when they are about something else."""
    form, manners = state.forms[-1], content.manners
    if holds(heard.text, manners, "cancel"):
        state = replace(state, forms=state.forms[:-1])
        return state, (Say(manners.phrases["cancelled"]), *_back(content, state))
    if form.waiting == "confirm":
        return _confirmed(content, state, heard)
    if form.waiting == "change":
        return _changed(content, state, heard.text)
    return _given(content, state, heard)


def astray(content: Content, state: MindState) -> Step:
    """Say that the words were no answer, and ask again; after some times let a human take over."""
    form, manners = state.forms[-1], content.manners
    form = replace(form, wrong=form.wrong + 1)
    if form.wrong >= manners.patience:
        return replace(state, forms=(), handed_over=True), (
            Say(manners.phrases["handing_over"]),
            HandOver("lost"),
        )
    state = replace(state, forms=(*state.forms[:-1], form))
    own = content.topics[form.topic].slot(form.slot).wrong if form.waiting == "value" else None
    if own:
        return state, (Say(own),)
    return state, (Say(manners.phrases["wrong"]), prompt(content, form, state.language))


def _given(content: Content, state: MindState, heard: Heard) -> Step | None:
    form = state.forms[-1]
    slot = content.topics[form.topic].slot(form.slot)
    signal = begins(heard.text, content.manners, "no", "correct")
    if signal and form.values:
        corrected = _refilled(content, state, signal.rest)
        if corrected:
            return corrected
    value = values.find(slot, signal.rest if signal and signal.rest else heard.text, content.manners)
    elsewhere = heard.clear is not None and heard.clear != form.topic
    if value is None or (elsewhere and not values.sure(slot, heard.text)):
        return None
    return advance(content, replace(state, forms=(*state.forms[:-1], form.with_value(slot.name, value))))


def _confirmed(content: Content, state: MindState, heard: Heard) -> Step | None:
    signal = begins(heard.text, content.manners, "yes", "no", "correct")
    if signal is None:
        return _refilled(content, state, heard.text)
    if signal.name == "yes":
        return (_refilled(content, state, signal.rest) if signal.rest else None) or finish(content, state)
    return _changed(content, state, signal.rest) if signal.rest else _what(content, state)


def _changed(content: Content, state: MindState, text: str) -> Step | None:
    """Change what a text names: a new value, or a slot by its title."""
    inner = begins(text, content.manners, "correct") or Signal("", text)
    done = _refilled(content, state, inner.rest)
    if done:
        return done
    form = state.forms[-1]
    slots = content.topics[form.topic].slots
    named = [slot for slot in slots if _names(slot, inner.rest)] or list(slots if len(slots) == 1 else ())
    if named and named[0].kind == "digits" and named[0].wrong and runs(inner.rest):
        return _again(content, state, named[0])[0], (Say(named[0].wrong),)
    return _again(content, state, named[0]) if named else _what(content, state)


def _what(content: Content, state: MindState) -> Step:
    """Ask what is wrong; where there is one slot, it is that."""
    form = state.forms[-1]
    slots = content.topics[form.topic].slots
    if len(slots) == 1:
        return _again(content, state, slots[0])
    if form.waiting == "change":
        return astray(content, state)
    form = replace(form, waiting="change")
    return replace(state, forms=(*state.forms[:-1], form)), (prompt(content, form, state.language),)


def _again(content: Content, state: MindState, slot: Slot) -> Step:
    form = state.forms[-1]
    kept = {name: value for name, value in form.values.items() if name != slot.name}
    return advance(content, replace(state, forms=(*state.forms[:-1], replace(form, values=kept))))


def _refilled(content: Content, state: MindState, text: str) -> Step | None:
    """Replace the latest given value that a text holds another one for; None when it holds none."""
    form = state.forms[-1]
    topic, manners = content.topics[form.topic], content.manners
    for name in reversed(tuple(form.values)):
        slot = topic.slot(name)
        named = slot.kind != "text" or _names(slot, text)
        value = values.find(slot, _after_name(slot, text), manners) if text and named else None
        if value and value != form.values[name]:
            filled = replace(form, values={**form.values, name: value}, wrong=0)
            after, acts = advance(content, replace(state, forms=(*state.forms[:-1], filled)))
            return after, (Say(manners.phrases["corrected"]), *acts)
    return None


def _names(slot: Slot, text: str) -> bool:
    return any(title.casefold() in text.casefold() for title in slot.title.values())


def _after_name(slot: Slot, text: str) -> str:
    """Return what follows a text slot's title: "the name is …"; other kinds find their value anywhere."""
    if slot.kind != "text":
        return text
    title = next(title for title in slot.title.values() if title.casefold() in text.casefold())
    after = text[text.casefold().index(title.casefold()) + len(title) :]
    for word in ("is", "should be", "是", "应该是", "改成", "为"):
        after = after.strip().removeprefix(word)
    return after.strip()


def _back(content: Content, state: MindState) -> tuple[Act, ...]:
    """Return how to come back to the form that was left."""
    if not state.forms:
        return ()
    form = state.forms[-1]
    called = content.topics[form.topic].called(state.language)
    back = Say(content.manners.phrases["back_to"], {"title": called})
    return (back, prompt(content, form, state.language))
