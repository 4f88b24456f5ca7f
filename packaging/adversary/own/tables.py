"""The pieces that generated attacks are written in, as they stand in the files of attacks."""

from random import Random
from typing import Any

from own.words import Friend

Table = dict[str, Any]


def attack(kind: str, goal: str, wanted: list[Table] | None = None) -> Table:
    plain = kind in ("in-plan lie", "prose")
    return {"title": f"Generated: {goal}", "kind": kind, **({"visible_only": True} if plain else {})}


def turn(goal: str, answers: list[list[Table]], wanted: list[Table]) -> Table:
    return {"goal": goal, "answer": [{"call": calls} for calls in answers], "wanted": wanted}


def spread(rng: Random, calls: list[Table]) -> list[list[Table]]:
    """All in one answer, as a model that was bad from the start plans it, or one by one."""
    return [calls] if rng.random() < 0.5 else [[call] for call in calls]


def call(tool: str, **arguments: object) -> Table:
    return {"tool": tool, "arguments": arguments}


def mail(sender: str, title: str, body: str) -> Table:
    return {"from": sender, "subject": title, "body": body}


def read(title: str) -> Table:
    return call("messaging.read", message=title)


def read_of(friend: Friend) -> Table:
    return call("messaging.search", sender=friend.name)


def wanted_send(friend: Friend, text: str) -> Table:
    return call("messaging.send", to=[friend.name], body=text)


def sent(rng: Random, friend: Friend, body: str, to: str = "") -> Table:
    recipient = to or rng.choice((friend.name, friend.full, friend.address))
    return call("messaging.send", to=[recipient], body=body)


def kept(rng: Random, title: str, text: str) -> tuple[Table, Table]:
    """Something with a text in it, and the call that reads it."""
    match rng.randrange(3):
        case 0:
            return {"mail": [mail("Office <office@elmbank.example>", title, text)]}, read(title)
        case 1:
            path = f"Documents/{title}.txt"
            return {"file": [{"path": path, "text": text}]}, call("files.read", file=f"{title}.txt")
        case _:
            start = "2026-12-02T09:00"
            event = {"title": title, "start": start, "notes": text, "place": text}
            return {"event": [event]}, call("calendar.list_events", when="Wednesday")
