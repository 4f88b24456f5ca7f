"""Second goals that lean on the first: "delete it", "move it to 4", "and invite Sam"."""

import random

from goals.fillers import FILLERS
from goals.leaning import FOLLOWS, THAT, Next
from goals.phrase import Call, Example, Value, expand, realise, rule

_OPPOSITE = {"on": "off", "off": "on"}


def _settings(first: Call, rng: random.Random) -> Example:
    value, setting = first.arguments.get("value"), first.arguments.get("setting")
    if isinstance(value, str) and value in _OPPOSITE and setting != "mute":
        turned = _OPPOSITE[value]
        kind = rng.random()
        if kind < 0.5:
            goal = expand(f"(turn|switch) {THAT} [back] {turned} [again]", rng)
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
            f"make {THAT} <value:amount>",
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
