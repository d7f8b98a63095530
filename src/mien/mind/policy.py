"""What to do with a turn: (state, words) → (state, acts). No input or output, no clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mien.mind import forms, values
from mien.mind.acts import Act, Call, HandOver, Say, Step, Think
from mien.mind.content import Content, Topic
from mien.mind.outcome import Outcome
from mien.mind.signals import begins, holds
from mien.mind.state import MindState
from mien.mind.template import Texts
from mien.mind.understand import ASK, MARGIN, Heard

PASSAGES = 5  # for a language model


def decide(content: Content, state: MindState, heard: Heard, *, thinks: bool = False) -> Step:
    """Decide what a turn leads to. `thinks`: a language model answers what the mind does not know."""
    state = replace(state, language=heard.language, turns=state.turns + 1).said("user", heard.text)
    if holds(heard.text, content.manners, "repeat"):
        return _repeated(content, state)
    step = _to_question(content, state, heard)
    state = replace(state, doubt=(), offered=False)
    if step is None and state.forms:
        step = forms.answered(content, state, heard)
    return step or _about(content, state, heard, thinks)


def after(content: Content, state: MindState, call: Call, outcome: Outcome) -> Step:
    """Decide what follows the outcome of an action."""
    topic = content.topics[call.topic]
    said = values.spoken(topic, call.values, state.language)
    if outcome.kind == "done":
        return forms.ended(content, state, topic, Say(topic.answer, {**said, **outcome.values}))
    own = topic.action and (topic.action.refused if outcome.kind == "refused" else topic.action.failed)
    apology = Say(own or content.manners.phrases[outcome.kind])
    return forms.ended(content, state, replace(topic, hands_over=False), apology)


def known(content: Content, state: MindState, passages: tuple[str, ...]) -> Step:
    """Answer from the knowledge alone what a language model was asked and did not answer."""
    near = next((content.topics[name] for name in passages if content.topics[name].kind == "knowledge"), None)
    if near:
        return replace(state, doubt=(near.name,)), (_clarify(content, state, (near.name,)),)
    return _lost(content, state)


def answer(content: Content, state: MindState, topic: Topic, text: str = "") -> Step:
    """Answer a topic, or begin its form with what the text already says."""
    state = replace(state, lost=0)
    if topic.slots or topic.action:
        return forms.enter(content, state, topic, forms.held_values(content, topic, text))
    return forms.ended(content, state, topic, Say(topic.answer))


def _about(content: Content, state: MindState, heard: Heard, thinks: bool) -> Step:
    """Decide about words that are no answer to a question."""
    topic = content.topics[heard.clear] if heard.clear else None
    if topic and not (state.forms and state.forms[-1].topic == topic.name):
        return answer(content, state, topic, heard.text)
    if state.forms:
        return forms.astray(content, state)
    if heard.doubt and not (thinks and len(heard.doubt) == 1):
        return replace(state, doubt=heard.doubt), (_clarify(content, state, heard.doubt),)
    if thinks:
        return state, (Think(heard.text, tuple(match.topic for match in heard.matches[:PASSAGES])),)
    return _lost(content, state)


def _lost(content: Content, state: MindState) -> Step:
    phrases = content.manners.phrases
    if state.lost + 1 >= content.manners.patience:
        return replace(state, lost=0, offered=True), (Say(phrases["offer_human"]),)
    return replace(state, lost=state.lost + 1), (Say(phrases["unknown"]),)


def _to_question(content: Content, state: MindState, heard: Heard) -> Step | None:
    """Take the words as the answer to "Do you mean …?" or "Shall I get a colleague?"."""
    signal = begins(heard.text, content.manners, "yes", "no", "first", "second")
    plain = replace(state, doubt=(), offered=False)
    if state.offered and signal and signal.name == "yes":
        return replace(plain, forms=(), handed_over=True), (
            Say(content.manners.phrases["handing_over"]),
            HandOver("lost"),
        )
    if not state.doubt:
        return _declined(content, plain) if state.offered and signal and signal.name == "no" else None
    chosen = _chosen(state.doubt, heard, signal.name if signal else "")
    if chosen:
        return answer(content, plain, content.topics[chosen])
    return _declined(content, plain) if signal and signal.name == "no" and not heard.clear else None


def _declined(content: Content, state: MindState) -> Step:
    return state, (Say(content.manners.phrases["go_on"]),)


def _chosen(doubt: tuple[str, ...], heard: Heard, signal: str) -> str | None:
    if signal in ("first", "yes") and (signal == "first" or len(doubt) == 1):
        return doubt[0]
    if signal == "second":
        return doubt[-1]
    near: Mapping[str, float] = {match.topic: match.score for match in heard.matches if match.topic in doubt}
    best = sorted(doubt, key=lambda name: -near.get(name, 0.0))
    lead = near.get(best[0], 0.0) - (near.get(best[1], 0.0) if len(best) > 1 else 0.0)
    first = heard.matches[0].topic if heard.matches else ""
    return best[0] if best[0] == first and near[first] >= ASK and lead >= MARGIN else None


def _clarify(content: Content, state: MindState, doubt: tuple[str, ...]) -> Say:
    names = [content.topics[name].called(state.language) for name in doubt]
    if len(names) == 1:
        return Say(content.manners.phrases["clarify_one"], {"first": names[0]})
    return Say(content.manners.phrases["clarify"], {"first": names[0], "second": names[1]})


def _repeated(content: Content, state: MindState) -> Step:
    said = [text for role, text in state.history if role == "assistant"]
    if not said:
        return state, (Say(content.manners.phrases["go_on"]),)
    again: tuple[Act, ...] = (Say(Texts("repeat", {state.language: ("{said}",)}), {"said": said[-1]}),)
    return state, again
