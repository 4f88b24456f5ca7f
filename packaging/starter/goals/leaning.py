"""Phrases of second goals that lean on the first, and what they take over from it."""

from dataclasses import dataclass

from goals.phrase import Value

THAT = "(it|that|this)"


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
        f"(delete|cancel|remove|drop|scrap|erase) {THAT} [again]",
        f"no, (delete|cancel|remove) {THAT}",
        "cancel the (meeting|appointment|event)",
        "(actually|no) (delete|cancel) it",
        "(on second thought, (cancel|delete) it|scratch that)",
    ),
    (
        "change",
        f"(move|change|shift|push|reschedule|postpone|make) {THAT} to <when:to_point>",
        f"(move|change|shift|push|reschedule|postpone) {THAT} to <when:to_point>",
        f"make {THAT} <when:to_point>",
        f"make {THAT} <when:bare_day>",
        f"make {THAT} <when:time> instead",
        "(no, <when:to_point>|<when:to_point> instead)",
        f"move {THAT} <when:shifted>",
        "(sorry|i mean|actually) <when:to_point>",
        "can we make that <when:to_point>",
        "change the (time|date) to <when:to_point>",
        f"[no, |ok |actually, |can you ]make {THAT} <when:clock>[ instead]",
        "<when:clock> is better",
        "(better|rather) <when:to_point>",
        f"put {THAT} (on|for) <when:bare_day>",
    ),
    (
        "invite",
        "[and] invite <invite:people> [too|as well]",
        f"[and] (add|invite) <invite:people> to {THAT}",
        "<invite:people> should come too, invite them",
        "[and|also] (invite|add) <invite:people>[, please]",
    ),
    (
        "more",
        f"make {THAT} <duration:length>[ long]",
        "it('s| is| will be) (at|in) <place:place>",
        f"(rename|change) {THAT} to <title:event>",
        f"call {THAT} <title:quoted_event>",
        f"move {THAT} to <place:place>",
        f"make {THAT} <duration:longer>",
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
        f"(read|open|show) {THAT} [to me]",
        "what does it say",
        "read (the first|the last|the latest) [one]",
        kept=_MESSAGE,
    ),
    _next("messaging.delete", f"(delete|trash|remove|bin) {THAT}", "throw it away", kept=_MESSAGE),
    _next(
        "messaging.reply",
        f"(reply|answer) [to {THAT}] (that|saying|with) <body:sentence>",
        "(reply|answer): <body:sentence>",
        "reply",
        "answer it",
        "reply to it",
        "write back that <body:sentence>",
        kept=_MESSAGE,
    ),
    _next(
        "messaging.move",
        f"(move|put|file) {THAT} (to|into|in) [the] <folder:mailbox> [folder]",
        kept=_MESSAGE,
    ),
)
_FILE = {"file": "file", "words": "file"}
_ON_FILE = (
    _next("files.delete", f"(delete|trash|remove|bin) {THAT} [again]", "throw it away", kept=_FILE),
    _next(
        "files.move",
        f"(move|put) {THAT} (to|into) [the] <to:folder> [folder]",
        f"rename {THAT} [to] <to:file>",
        f"call {THAT} <to:file>",
        kept=_FILE,
    ),
    _next("files.read", f"(read|open|show) {THAT}", "what does it say", "what(s|'s| is) in it", kept=_FILE),
    _next(
        "files.write",
        f"(add|append) <text:note> to {THAT}",
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
            f"(tick {THAT} off|mark {THAT} [as] done|done|cross {THAT} off|that's done)",
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
        _next("files.read", f"(open|read|show) {THAT}", kept={"file": "file"}),
        _next("files.delete", f"(delete|trash) {THAT}", kept={"file": "file"}),
    ),
    "settings.set": (),
}
