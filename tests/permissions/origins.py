"""Calls, addresses and objects for the provenance tests, made from a few words."""

from pydantic import JsonValue

from connectors.base import Call, Resolved, Role
from permissions.provenance import Provenance
from permissions.words import Who


def said(*lines: str) -> Provenance:
    provenance = Provenance()
    for line in lines:
        provenance.say(line)
    return provenance


def call(**arguments: JsonValue) -> Call:
    return Call("call-1", "messaging.send", arguments)


def address(value: str, argument: str = "to", label: str = "", written: int | None = 0) -> Resolved:
    return Resolved(Role.DESTINATION, argument, value, label or value, written)


def target(label: str, value: str = "mail:1", argument: str = "message") -> Resolved:
    return Resolved(Role.TARGET, argument, value, label)


def who(provenance: Provenance, asked: Call, thing: Resolved) -> Who:
    (origin,) = provenance.trace(asked, (thing,))
    return origin.who
