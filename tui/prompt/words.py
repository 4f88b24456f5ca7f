"""The prompt's own words: what a call is, where a value came from, why to look twice, what the keys do."""

from connectors.base import Effect, Field, Prepared, Preview, Resolved, Role
from connectors.clean import clean, clean_line
from permissions.provenance import PASTED
from permissions.ticket import likeness
from permissions.words import Asker, Flag, Key, Offer, Origin, Request, Scope, Who, grave

CHOSEN = "chosen by Askfirst"

FLAGS = {
    Flag.NOT_IN_PLAN: "this was not in your plan",
    Flag.DESTINATION_NOT_YOURS: "you did not say where this goes",
    Flag.DESTINATION_NEW: "you have never written to this address",
    Flag.TARGET_NOT_YOURS: "you did not name what this acts on",
    Flag.LOOKALIKE: "the address looks like one you know, but it is another",
    Flag.LINK_NOT_YOURS: "it carries a link that you did not give",
    Flag.WORDS_NOT_YOURS: "you named neither whom it goes to nor what it says",
    Flag.CARRIES_PRIVATE: "it carries something that you did not name",
    Flag.ROLE_CLASH: "you named this to look at it, not for this",
    Flag.ANOTHER_PERSON: "you know whom this goes to, but you named somebody else",
    Flag.MANY: "it touches many things at once",
}

TAINTED = "text from outside was read for this goal; the model may say what stood there"

ASKERS = {
    Asker.ADDED: "the model added this after the plan was made",
    Asker.REPAIR: "Askfirst proposes this, to clear what stood in the way",
    Asker.UNDO: "this takes back something done before",
}

SCOPES = {
    Scope.GOAL: ("g", "this goal"),
    Scope.SESSION: ("s", "this session"),
    Scope.UNTIL: ("t", "until…"),
    Scope.ALWAYS: ("a", "always…"),
}
SPANS = {
    Scope.GOAL: "this goal",
    Scope.SESSION: "this session",
    Scope.UNTIL: "a time",
    Scope.ALWAYS: "always",
}
_COVERED = 3
_SECOND_SCREEN = frozenset({Scope.UNTIL, Scope.ALWAYS})


def service(request: Request) -> str:
    """The service's name, for the frame."""
    return request.call.tool.partition(".")[0].upper()


def frame(request: Request) -> tuple[str, ...]:
    """The frame's parts: the service, what the call does, and whether it can be taken back."""
    prepared = request.prepared
    deed = prepared.preview.deed
    if reads(request):
        return (service(request), deed, "changes nothing")
    back = "can be undone" if prepared.undo else f"cannot be undone{_after(request)}"
    if grave(prepared.effects):
        return (leaving(prepared), service(request), deed, back)
    return (service(request), deed, back)


def undo(request: Request) -> tuple[str, bool]:
    """How and how long it can be taken back, and whether that is a reason to look twice."""
    prepared = request.prepared
    if prepared.undo:
        return prepared.undo, False
    if request.hold:
        return f"it waits {request.hold:.0f} s after your yes, and can be taken back until then", False
    return "this cannot be taken back", True


def _after(request: Request) -> str:
    return f" {request.hold:.0f} s after yes" if request.hold else ""


def leaving(prepared: Prepared) -> str:
    """The badge of what leaves the machine."""
    return "SENDS OUT" if Effect.SEND in prepared.effects else "SHARES"


def place(request: Request) -> str:
    """The call's place in the plan, or nothing."""
    return f"{request.step} of {request.steps}" if request.steps else ""


def mark(request: Request) -> str:
    """A short sign that two calls share only if they would do the very same thing."""
    return f"#{likeness(request.prepared)[:5].upper()}"


def origin(value: Origin) -> tuple[str, bool]:
    """Where a value came from, in words, and whether that is a reason to look twice."""
    seen = value.seen
    match value.who:
        case Who.YOU:
            return (f"from you: “{seen}”" if seen else "from you"), False
        case Who.CONFIG:
            return (f"from your settings: {seen}" if seen else "from your settings"), False
        case Who.WRITTEN_TO:
            return (f"known to you: {seen}" if seen else "somebody you have written to"), False
        case Who.CONTENT if seen == PASTED:
            return "pasted by you", True
        case Who.CONTENT:
            return (f"first seen in {seen}" if seen else "from text that was read"), True
        case Who.MODEL:
            return "from the model", True


def came(field: Field, request: Request) -> tuple[str, bool]:
    """Where a field's value came from: an argument, our own choice, or nothing where it only informs."""
    if field.argument:
        traced = zip(request.prepared.resolved, request.traced, strict=False)
        own = [value for thing, value in traced if names(field, thing)]
        worst = max(own, key=lambda value: value.who, default=None)
        return _came_of(field.argument, request, worst)
    chosen = {
        name
        for thing in request.prepared.resolved
        if not thing.argument
        for name in (thing.value, thing.label)
    }
    return (CHOSEN if field.value in chosen else ""), False


def came_body(request: Request) -> tuple[str, bool]:
    """Where the text came from: from the argument that it is, or that the most of it is."""
    body = (request.prepared.preview.body or "").strip()
    inside = [
        (len(text), argument)
        for argument, value in request.call.arguments.items()
        if isinstance(value, str) and (text := clean(value).strip()) and text in body
    ]
    if not inside:
        return "", False
    length, argument = max(inside)
    came, doubt = _came_of(argument, request)
    return (came if length == len(body) else f"in part {came}"), doubt


def names(field: Field, thing: Resolved) -> bool:
    """True if a field of the same argument names this thing; an address must be there in full."""
    name = clean_line(thing.value) if "@" in thing.value else thing.label
    return field.argument == thing.argument and bool(name) and name in field.value


def _came_of(argument: str, request: Request, own: Origin | None = None) -> tuple[str, bool]:
    found = own or request.origins.get(argument)
    if found is not None:
        ours = request.asker in (Asker.REPAIR, Asker.UNDO) and found.who is Who.CONFIG
        return (CHOSEN, False) if ours else origin(found)
    if request.call.arguments.get(argument) in (None, "", [], ()):
        return CHOSEN, False
    return "origin not known", True


def told(thing: Resolved, preview: Preview) -> bool:
    """True if the title or any field tells a thing's name."""
    texts = (preview.title, *(field.value for field in preview.fields))
    return any(name and name in text for name in (thing.label, clean_line(thing.value)) for text in texts)


def unshown(request: Request) -> tuple[Resolved, ...]:
    """What the call carries and the preview shows in part only, or not at all; a diff shows what changes."""
    preview = request.prepared.preview
    if preview.diff is not None:
        return ()
    texts = [_solid(text) for text in (preview.title, preview.body or "", *(f.value for f in preview.fields))]
    carried = (thing for thing in request.prepared.resolved if thing.role is Role.CONTENT)
    return tuple(thing for thing in carried if not any(_solid(clean(thing.value)) in text for text in texts))


def _solid(text: str) -> str:
    return "".join(text.split())


def flags(request: Request, *, named: bool = False) -> tuple[str, ...]:
    """What policy flagged, in words; what it carries is left out where that is `named` besides."""
    left_out = {Flag.CARRIES_PRIVATE} if named else set()
    flagged = [flag for flag in Flag if flag in request.ruling.flags - left_out]
    return tuple(FLAGS.get(flag, flag.value.replace("_", " ")) for flag in flagged)


def warnings(request: Request) -> tuple[str, ...]:
    """Everything to look at twice: what policy flagged, then what the connector warns of."""
    return (*flags(request), *request.prepared.preview.warnings)


def remarks(request: Request) -> tuple[str, ...]:
    """What to know besides: who proposes it, and for a call that was flagged what the person had said."""
    said = f"you said “{request.said}”" if request.said and request.ruling.flags else ""
    read = TAINTED if request.tainted and not reads(request) else ""
    return tuple(filter(None, (asker(request), said, read)))


def reads(request: Request) -> bool:
    """True if the call only looks."""
    return request.prepared.effects <= {Effect.READ}


def asker(request: Request) -> str:
    """On whose account this is asked, where that is not the plan's."""
    return ASKERS.get(request.asker, "")


def yes_verb(request: Request) -> str:
    """The verb on the yes key."""
    effects = request.prepared.effects
    if request.ruling.key is Key.SMALL:
        return "yes"
    if Effect.SEND in effects:
        return "send"
    if Effect.SHARE in effects:
        return "share"
    return "delete" if Effect.DELETE in effects else "yes"


def yes_key(request: Request) -> str:
    """The letter of the yes key."""
    return "y" if request.ruling.key is Key.SMALL else "Y"


def wrong_case(request: Request) -> str:
    """Why the other letter of the yes key does nothing here."""
    if request.ruling.key is Key.SMALL:
        return "this can be said yes to with a small y"
    reason = leaving(request.prepared).lower() if grave(request.prepared.effects) else "cannot be taken back"
    return f"{reason}: press capital Y"


def offers(request: Request) -> dict[Scope, tuple[Offer, ...]]:
    """The grants on offer by scope, the narrowest first."""
    found: dict[Scope, tuple[Offer, ...]] = {}
    for offer in request.offers:
        if offer.grant.scope in SCOPES:
            found[offer.grant.scope] = (*found.get(offer.grant.scope, ()), offer)
    return found


def opens(scope: Scope, count: int) -> bool:
    """True if the key of a scope opens the list of what is on offer, instead of taking the only one."""
    return scope in _SECOND_SCREEN or count > 1


def covered(offer: Offer) -> str:
    """What a permission would have covered until now; nothing is said of a goal that has just begun."""
    past = offer.covered
    if not past:
        return "" if offer.grant.scope is Scope.GOAL else "would have covered: nothing done so far"
    shown = "; ".join(past[:_COVERED])
    more = f"; and {len(past) - _COVERED} more" if len(past) > _COVERED else ""
    return f"would have covered {len(past)}: {shown}{more}"
