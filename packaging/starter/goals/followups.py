"""Second goals that lean on the first: "delete it", "move it to 4", "and invite Sam"."""

import random
from dataclasses import dataclass

from goals.fillers import FILLERS
from goals.phrase import Call, Example, Value, expand, realise, rule

_THAT = "(it|that|this)"


@dataclass(frozen=True, slots=True)
class Next:
    """Ways to go on after a call: the new tool, phrases, and which arguments are taken over as what."""

    tool: str
    phrases: tuple[str, ...]
    kept: tuple[tuple[str, str], ...] = ()
    fixed: tuple[tuple[str, Value], ...] = ()


def _next(tool: str, *phrases: str, kept: dict[str, str] | None = None, **fixed: Value) -> Next:
    return Next(tool, phrases, tuple((kept or {}).items()), tuple(fixed.items()))


_EVENT = (
    (
        "delete",
        f"(delete|cancel|remove|drop|scrap|erase) {_THAT} [again]",
        f"no, (delete|cancel|remove) {_THAT}",
        "cancel the (meeting|appointment|event)",
        "(actually|no) (delete|cancel) it",
        "(on second thought, (cancel|delete) it|scratch that)",
    ),
    (
        "change",
        f"(move|change|shift|push|reschedule|postpone|make) {_THAT} to <when:to_point>",
        f"(move|change|shift|push|reschedule|postpone) {_THAT} to <when:to_point>",
        f"make {_THAT} <when:to_point>",
        f"make {_THAT} <when:bare_day>",
        f"make {_THAT} <when:time> instead",
        "(no, <when:to_point>|<when:to_point> instead)",
        f"move {_THAT} <when:shifted>",
        "(sorry|i mean|actually) <when:to_point>",
        "can we make that <when:to_point>",
        "change the (time|date) to <when:to_point>",
        f"[no, |ok |actually, |can you ]make {_THAT} <when:clock>[ instead]",
        "<when:clock> is better",
        "(better|rather) <when:to_point>",
        f"put {_THAT} (on|for) <when:bare_day>",
    ),
    (
        "invite",
        "[and] invite <invite:people> [too|as well]",
        f"[and] (add|invite) <invite:people> to {_THAT}",
        "<invite:people> should come too, invite them",
        "[and|also] (invite|add) <invite:people>[, please]",
    ),
    (
        "more",
        f"make {_THAT} <duration:length>[ long]",
        "it('s| is| will be) (at|in) <place:place>",
        f"(rename|change) {_THAT} to <title:event>",
        f"call {_THAT} <title:quoted_event>",
        f"move {_THAT} to <place:place>",
        f"make {_THAT} <duration:longer>",
    ),
)


def _on_event(named: str) -> tuple[Next, ...]:
    kept = {named: "event"}
    delete, change, invite, more = (entry[1:] for entry in _EVENT)
    return (
        _next("calendar.delete_event", *delete, kept=kept),
        _next("calendar.change_event", *change, kept=kept),
        _next("calendar.change_event", *change, kept=kept),
        _next("calendar.change_event", *invite, kept=kept),
        _next("calendar.change_event", *more, kept=kept),
    )


_OTHER = "[no, ](the other one|the other|not that one|a different one|i meant the other one)"
_OTHER_EVENT = _next("calendar.delete_event", _OTHER, kept={"event": "event"})
_MESSAGE = {"sender": "sender", "words": "message", "message": "message"}
_ON_MESSAGE = (
    _next(
        "messaging.read",
        f"(read|open|show) {_THAT} [to me]",
        "what does it say",
        "read (the first|the last|the latest) [one]",
        kept=_MESSAGE,
    ),
    _next("messaging.delete", f"(delete|trash|remove|bin) {_THAT}", "throw it away", kept=_MESSAGE),
    _next(
        "messaging.reply",
        f"(reply|answer) [to {_THAT}] (that|saying|with) <body:sentence>",
        "(reply|answer): <body:sentence>",
        "reply",
        "answer it",
        "reply to it",
        "write back that <body:sentence>",
        kept=_MESSAGE,
    ),
    _next(
        "messaging.move",
        f"(move|put|file) {_THAT} (to|into|in) [the] <folder:mailbox> [folder]",
        kept=_MESSAGE,
    ),
)
_FILE = {"file": "file", "words": "file"}
_ON_FILE = (
    _next("files.delete", f"(delete|trash|remove|bin) {_THAT} [again]", "throw it away", kept=_FILE),
    _next(
        "files.move",
        f"(move|put) {_THAT} (to|into) [the] <to:folder> [folder]",
        f"rename {_THAT} [to] <to:file>",
        f"call {_THAT} <to:file>",
        kept=_FILE,
    ),
    _next("files.read", f"(read|open|show) {_THAT}", "what does it say", "what(s|'s| is) in it", kept=_FILE),
    _next(
        "files.write",
        f"(add|append) <text:note> to {_THAT}",
        "add <text:note>",
        "also write <text:note>",
        kept=_FILE,
        add=True,
    ),
)
_TO = {"to": "to"}
_NEW_EVENT = (
    "add <title:meal_with> <when:point>",
    "(add|put in|book|schedule) <title:an_event> <when:point>",
    "(add|put in|book|schedule) <title:an_odd_event> <when:day> <when:time>",
    "(ok, |then |)(add|put) <title:event> <when:bare_day> <when:time>",
    "(add|book|schedule) <title:an_event>",
)
_BESIDE = (  # what is said after a look at the calendar leans on nothing
    _next("calendar.create_event", *_NEW_EVENT),
    _next("calendar.create_event", *_NEW_EVENT),
    _next("calendar.delete_event", "(cancel|delete|remove) <event:my_event>", "cancel the <event:odd_event>"),
    _next("calendar.change_event", "(move|push|reschedule) <event:my_event> to <when:to_point>"),
)
FOLLOWS: dict[str, tuple[Next, ...]] = {
    "calendar.create_event": _on_event("title"),
    "calendar.change_event": _on_event("event"),
    "calendar.delete_event": (_OTHER_EVENT,),
    "calendar.list_events": (
        _next(
            "calendar.list_events",
            "[and] <when:bare_day>",
            "and <when:day>",
            "what about <when:window>",
            "how about <when:bare_day>",
            "and <when:window>",
            kept={"search": "search"},
        ),
        *_BESIDE,
    ),
    "calendar.find_free_time": (
        *_BESIDE,
        _next(
            "calendar.find_free_time",
            "and <when:day>",
            "what about <when:window>",
            "how about <when:bare_day>",
            kept={"duration": "duration"},
        ),
    ),
    "calendar.add_task": (
        _next(
            "calendar.complete_task",
            f"(tick {_THAT} off|mark {_THAT} [as] done|done|cross {_THAT} off|that's done)",
            "(remove|delete) it [again]",
            kept={"title": "task"},
        ),
        _next(
            "calendar.add_task",
            "and <title:goods>",
            "[and] also <title:goods>",
            "<title:goods> too",
            "and <title:task>",
        ),
    ),
    "messaging.send": (
        _next(
            "messaging.send",
            "(tell|send) <to:people> (too|the same|as well)",
            "[and] (send it|the same) to <to:people> [too]",
            "and <to:people>",
            kept={"subject": "subject", "body": "body"},
        ),
        _next(
            "messaging.send",
            "(tell|text) (her|him|them) [that] <body:sentence>",
            "[and] (also|) (tell|ask) (her|him|them) <body:ask>",
            "say <body:sentence>",
            kept=_TO,
        ),
    ),
    "messaging.draft": (
        _next(
            "messaging.send",
            "send it",
            "send it [now]",
            "ok send it",
            "send that",
            kept={"to": "to", "subject": "subject", "body": "body"},
        ),
        _next(
            "messaging.draft",
            "say <body:sentence>",
            "the text is <body:sentence>",
            kept={"to": "to", "subject": "subject"},
        ),
    ),
    "messaging.search": (
        *_ON_MESSAGE,
        _next(
            "messaging.search",
            "and from <sender:person>",
            "(and|what about) <sender:person>",
            "and from <sender:person> <when:past>",
        ),
    ),
    "messaging.read": (
        *_ON_MESSAGE[1:],
        _next("messaging.read", _OTHER, kept={"sender": "sender", "message": "message"}),
    ),
    "messaging.delete": (_next("messaging.delete", _OTHER, kept={"sender": "sender", "message": "message"}),),
    "calendar.complete_task": (_next("calendar.complete_task", _OTHER, kept={"task": "task"}),),
    "files.delete": (_next("files.delete", _OTHER, kept={"file": "file"}),),
    "messaging.find_contact": (
        _next(
            "messaging.find_contact", "and <name:possessive>", "and <name:person>", "what about <name:person>"
        ),
        _next(
            "messaging.send",
            "(email|text|mail|message) (her|him|them) [that] <body:sentence>",
            "(tell|text) (her|him|them) <body:sentence>",
            kept={"name": "to"},
        ),
    ),
    "files.search": (_ON_FILE[2], _ON_FILE[2], _ON_FILE[0], _ON_FILE[1]),
    "files.read": (_ON_FILE[0], _ON_FILE[1], _ON_FILE[3]),
    "files.write": (*_ON_FILE,),
    "files.move": (
        _next("files.read", f"(open|read|show) {_THAT}", kept={"file": "file"}),
        _next("files.delete", f"(delete|trash) {_THAT}", kept={"file": "file"}),
    ),
    "settings.set": (),
}
_OPPOSITE = {"on": "off", "off": "on"}


def _settings(first: Call, rng: random.Random) -> Example:
    value, setting = first.arguments.get("value"), first.arguments.get("setting")
    if isinstance(value, str) and value in _OPPOSITE and setting != "mute":
        turned = _OPPOSITE[value]
        kind = rng.random()
        if kind < 0.5:
            goal = expand(f"(turn|switch) {_THAT} [back] {turned} [again]", rng)
            return Example(goal, (Call("settings.set", {"setting": setting or "", "value": turned}),))
        other = rng.choice(("bluetooth", "wifi"))
        return Example(
            expand(f"and {other} [too]", rng), (Call("settings.set", {"setting": other, "value": value}),)
        )
    if setting == "mute":
        return Example("unmute", (Call("settings.set", {"setting": "mute", "value": "off"}),))
    made = realise(
        rule(
            "settings.set",
            f"make {_THAT} <value:amount>",
            "<value:amount>",
            "a bit (more|)",
            "no, <value:amount>",
            "to <value:amount>",
        ),
        FILLERS,
        rng,
    )
    value_of = dict(made.calls[0].arguments) or {
        "value": "a bit more" if made.goal.endswith("more") else "a bit"
    }
    return Example(made.goal, (Call("settings.set", {"setting": setting or "volume", **value_of}),))


def _taken(first: Call, way: Next) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for old, new in way.kept:
        value = first.arguments.get(old)
        if value is None or new in found:
            continue
        found[new] = [value] if new == "to" and isinstance(value, str) else value
    return found


def follow(first: Example, rng: random.Random) -> Example | None:
    """A goal that leans on the last call of `first`, or None where nothing is said about such a call."""
    if not first.calls:
        return None
    call = first.calls[-1]
    if call.tool == "settings.set":
        return _settings(call, rng)
    ways = FOLLOWS.get(call.tool, ())
    if not ways or not call.arguments:
        return None
    way = rng.choice(ways)
    taken = _taken(call, way)
    if way.kept and not taken and call.tool not in ("calendar.list_events", "calendar.find_free_time"):
        return None
    made = realise(rule(way.tool, *way.phrases, **dict(way.fixed)), FILLERS, rng)
    return Example(made.goal, (Call(way.tool, {**taken, **made.calls[0].arguments}),))
