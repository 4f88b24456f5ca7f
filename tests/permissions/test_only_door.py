"""Only the gate makes tickets and sets services to work: read off the source of every package."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GATE = ROOT / "permissions" / "gate.py"
SOURCES = sorted(
    path
    for package in ("assistant", "connectors", "permissions", "tui")
    for path in (ROOT / package).rglob("*.py")
)


def name_of(node: ast.expr) -> str:
    """The last name of what is called or called on: `gate` in `self._gate`, without underscores before it."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.lstrip("_")
        case _:
            return ""


def breaches(source: str, *, within_service: bool = False) -> Iterator[str]:
    """Where a module walks past the gate; a service may use its own parts, of which none is a service."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(attr="perform", value=receiver)) if not within_service:
                if name_of(receiver) != "gate":
                    yield f"line {node.lineno}: a service is set to work"
            case ast.Attribute(attr="perform", value=receiver, ctx=ast.Load()) if not within_service:
                if name_of(receiver) != "gate":
                    yield f"line {node.lineno}: the work of a service is held"
            case ast.Call(func=func) if name_of(func) == "Ticket":
                yield f"line {node.lineno}: a ticket is made"
            case ast.Constant(value="perform") if not within_service:
                yield f"line {node.lineno}: the work of a service is named"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_but_the_gate_sets_a_service_to_work_or_makes_a_ticket(path: Path) -> None:
    if path != GATE:
        service = path.relative_to(ROOT).parts[0] == "connectors"
        assert list(breaches(path.read_text(), within_service=service)) == []


def test_the_gate_itself_would_be_caught_if_it_stood_elsewhere() -> None:
    assert len(list(breaches(GATE.read_text()))) >= 2


@pytest.mark.parametrize(
    "source",
    [
        "await connector.perform(prepared)",
        "await self._mail.perform(prepared)",
        "await services['mail'].perform(prepared)",
        "do = connector.perform",
        "getattr(connector, 'perform')(prepared)",
        "Ticket(id, prepared, hash, now, now)",
        "ticket.Ticket(id, prepared, hash, now, now)",
    ],
)
def test_every_way_past_the_gate_is_seen(source: str) -> None:
    async_source = f"async def f():\n    {source}"
    assert list(breaches(async_source))


@pytest.mark.parametrize("source", ["await gate.perform(ticket)", "await self._gate.perform(ticket)"])
def test_the_way_through_the_gate_is_free(source: str) -> None:
    assert not list(breaches(f"async def f():\n    {source}"))
