"""What a model gets to see of a conversation: of earlier goals nothing that others wrote."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pydantic import JsonValue

from assistant.handles import Handles
from assistant.model.base import Goal, Proposal, Reply, Result, Turn
from connectors.base import Call, Item, Outcome


def briefing(turns: Sequence[Turn], handles: Handles) -> tuple[Turn, ...]:
    """The turns as the model is told them, things by their short names.

    Of earlier goals it keeps the person's words, the calls that were planned before anything was read, and
    how each ended; every text that was read, and all that the model wrote after reading one, is left out. So
    the first answer to a goal is made in a clean context. The last goal's own turns are told in full. What
    the person wrote anew in a call is told with its result, and of a call of earlier goals that was made
    before anything was read in place of what the model wrote.
    """
    last = max((at for at, turn in enumerate(turns) if isinstance(turn, Goal)), default=0)
    return (*_earlier(turns[:last], handles), *(_named(turn, handles) for turn in turns[last:]))


def bygone(turns: Sequence[Turn], handles: Handles) -> tuple[Turn, ...]:
    """The turns as the model will be told them when the next goal is given."""
    return tuple(_earlier(turns, handles))


def _earlier(turns: Sequence[Turn], handles: Handles) -> Iterator[Turn]:
    edited = {turn.call_id: turn.edited for turn in turns if isinstance(turn, Result)}
    for turn in turns:
        match turn:
            case Goal():
                yield turn
            case Proposal(call=call, tainted=tainted):
                # An edit may keep most of what was there, so after reading it is left out too.
                ran = replace(call, arguments={**call.arguments, **edited.get(call.id, {})})
                told = _pointing(call, handles) if tainted else _shortened(ran, handles)
                yield replace(turn, call=told, tainted=False)
            case Reply(tainted=False):
                yield turn
            case Result(call_id=call_id, outcome=outcome):
                yield Result(call_id, _bare(outcome, handles))


def _named(turn: Turn, handles: Handles) -> Turn:
    match turn:
        case Proposal(call=call):
            return replace(turn, call=_shortened(call, handles))
        case Result(call_id, outcome, edited) if outcome.items or edited:
            items = tuple(replace(item, handle=handles.name(item.handle)) for item in outcome.items)
            return Result(call_id, replace(outcome, text=_anew(edited, handles) + outcome.text, items=items))
    return turn


def _anew(edited: Mapping[str, JsonValue], handles: Handles) -> str:
    """What the person changed in a call, as a sentence before its outcome."""
    if not edited:
        return ""
    words = "; ".join(f"{name}: {handles.short(value)}" for name, value in edited.items())
    return f"The person changed this first, to {words}. "


def _shortened(call: Call, handles: Handles) -> Call:
    arguments = {name: handles.short(value) for name, value in call.arguments.items()}
    return call if arguments == call.arguments else replace(call, arguments=arguments)


def _pointing(call: Call, handles: Handles) -> Call:
    """A call with none of its words: only what it points at by a short name."""
    found = ((name, _pointed(value, handles)) for name, value in call.arguments.items())
    return replace(call, arguments={name: value for name, value in found if value})


def _pointed(value: JsonValue, handles: Handles) -> JsonValue:
    values = value if isinstance(value, list | tuple) else [value]
    strings = [item for item in values if isinstance(item, str)]
    short: list[JsonValue] = [handles.name(item) for item in strings if handles.name(item) != item]
    return short if isinstance(value, list | tuple) else next(iter(short), None)


def _bare(outcome: Outcome, handles: Handles) -> Outcome:
    """How a call ended and the short names of what it listed, in words of our own."""
    items = tuple(Item(handles.name(item.handle), "") for item in outcome.items)
    text = "Done." if outcome.ok else "It was not done."
    return Outcome(outcome.ok, text, outcome.needs, items)
