"""Mediation: nothing reaches the world but through the gate, and what is not known does not pass it."""

import ast
import asyncio
import re
import tracemalloc
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.model.base import Piece, Turn
from assistant.model.dialects.reading import CallReader
from assistant.session import Session
from connectors.base import Call, Context, Effect, Outcome, Prepared, Tool
from permissions.provenance import Provenance
from permissions.words import Decision, Request, Verdict
from tests.assistant.bench import Bench as Conversation
from tests.assistant.fakes import NOW, ZONE, Person
from tests.assistant.model.tools import OFFERED
from tests.permissions.fakes import GOAL, Bench

ROOT = Path(__file__).parents[2]

# What can reach beyond the process, and the few places that may: each is a service's own transport, or the
# model's process and its download.
REACHING = frozenset(
    (
        *(
            "aiohttp",
            "caldav",
            "ftplib",
            "http",
            "httpx",
            "httpx2",
            "huggingface_hub",
            "imapclient",
            "imaplib",
        ),
        *(
            "keyring",
            "multiprocessing",
            "niquests",
            "nntplib",
            "poplib",
            "pty",
            "requests",
            "smtplib",
            "socket",
            "socketserver",
        ),
        *("subprocess", "telnetlib", "urllib3", "webbrowser", "xmlrpc"),
    )
)
STARTING = frozenset(
    (
        *("create_subprocess_exec", "create_subprocess_shell", "open_connection", "open_unix_connection"),
        *("subprocess_exec", "subprocess_shell", "create_connection", "urlopen"),
    )
)
STARTING_BY_OS = re.compile(r"system|popen|fork\w*|exec[lv]\w*|spawn\w*|posix_spawn\w*")
REMOVING = frozenset(("remove", "unlink", "rmdir", "removedirs", "rmtree", "truncate", "move"))
MAY_REACH = (
    "assistant/model/hub/",
    "assistant/model/host/process.py",
    "assistant/model/starter/",
    "connectors/dav/",
    "connectors/files/documents/",
    "connectors/messaging/imap/",
    "connectors/messaging/matrix/",
    "connectors/messaging/servers/reach.py",
    "connectors/messaging/servers/web.py",
    "connectors/messaging/smtp/",
    "connectors/messaging/sendmail.py",
    "connectors/oauth/",
    "connectors/secrets/",
    "connectors/settings/commands/run.py",
    "connectors/settings/linux/",
)
MAY_REMOVE = ("assistant/model/", "connectors/", "permissions/", "tui/evals/")
SOURCES = sorted(
    path
    for package in ("assistant", "connectors", "permissions", "tui")
    for path in (ROOT / package).rglob("*.py")
)


def reaches(source: str) -> Iterator[str]:
    """Where a module could touch the network or start a process."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                modules = [each.name for each in names]
            case ast.ImportFrom(module=str(module), names=names):
                modules = [module, *(f"{module}.{each.name}" for each in names)]
            case ast.Attribute(attr=name) | ast.Name(id=name) if name in STARTING:
                yield f"line {node.lineno}: {name}"
                continue
            case ast.Attribute(attr=name, value=ast.Name(id="os")) if STARTING_BY_OS.fullmatch(name):
                yield f"line {node.lineno}: os.{name}"
                continue
            case _:
                continue
        for module in modules:
            # An address may be taken apart anywhere; only asking for one is reaching out.
            if module.split(".")[0] in REACHING or module in ("urllib.request", "asyncio.subprocess"):
                yield f"line {node.lineno}: {module}"


def removes(source: str) -> Iterator[str]:
    """Where a module deletes or moves files."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(attr=name, value=ast.Name(id="os" | "shutil"))) if (
                name in REMOVING
            ):
                yield f"line {node.lineno}: {name}"
            case ast.Call(func=ast.Attribute(attr="unlink" | "rmdir" as name)):
                yield f"line {node.lineno}: {name}"
            case ast.ImportFrom(module="os" | "shutil", names=names):
                yield from (f"line {node.lineno}: {n.name}" for n in names if n.name in REMOVING)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_a_services_own_transport_and_the_models_process_reach_outside(path: Path) -> None:
    """Invariant 1: no module outside the broker imports connectors' effect functions or the means to act."""
    name = str(path.relative_to(ROOT))
    if not name.startswith(MAY_REACH):
        assert list(reaches(path.read_text("utf-8"))) == []
    if not name.startswith(MAY_REMOVE):
        assert list(removes(path.read_text("utf-8"))) == []


@pytest.mark.parametrize(
    "source",
    [
        "import smtplib",
        "import http.client as h",
        "from socket import socket",
        "from urllib.request import urlopen",
        "from urllib import request",
        "import os\nos.system('x')",
        "import asyncio\nasyncio.create_subprocess_exec('x')",
    ],
)
def test_the_ways_outside_are_seen(source: str) -> None:
    """Invariant 1: the lint itself catches each of the ways."""
    assert list(reaches(source))


@pytest.mark.parametrize(
    "source", ["import os\nos.remove('x')", "from shutil import rmtree", "path.unlink()"]
)
def test_the_ways_to_remove_a_file_are_seen(source: str) -> None:
    """Invariant 1: deleting files past a service is caught too."""
    assert list(removes(source))


IMPURE = frozenset(
    (
        *("asyncio", "logging", "os", "pathlib", "random", "secrets", "socket", "sqlite3", "subprocess"),
        *("tempfile", "time", "uuid", "watchdog"),
    )
)


def test_the_decision_has_no_way_to_look_at_anything_but_its_arguments() -> None:
    """Invariant 4: `decide()` is pure: nothing it is made of can read a clock, a file or chance."""
    seen: set[str] = set()
    waiting = ["permissions.policy"]
    while waiting:
        module = waiting.pop()
        if module in seen:
            continue
        seen.add(module)
        for name in _imported((ROOT / f"{module.replace('.', '/')}.py").read_text("utf-8")):
            assert name.split(".")[0] not in IMPURE, f"{module} imports {name}"
            if name.startswith("permissions."):
                waiting.append(name)
    assert len(seen) > 3
    for module in seen:
        text = (ROOT / f"{module.replace('.', '/')}.py").read_text("utf-8")
        assert ".now(" not in text
        assert ".today(" not in text


def _imported(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from (each.name for each in names)
            case ast.ImportFrom(module=str(module)):
                yield module


WORDS = st.text(st.characters(categories=["L", "N", "P", "Z", "Cf"]), max_size=12)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.builds("{}.{}".format, WORDS, WORDS) | WORDS, st.dictionaries(WORDS, WORDS, max_size=2))
def test_an_unknown_service_verb_or_argument_is_no_call(
    bench: Bench, tool: str, arguments: dict[str, str]
) -> None:
    """Invariant 5: an unknown connector, verb or argument is refused, in whatever form it comes."""
    known = {each.name for each in bench.gate.tools}
    if tool not in known:
        assert isinstance(bench.gate.make_call(tool, arguments), Outcome)
        found = asyncio.run(bench.gate.prepare(Call("c", tool, arguments), Context(NOW, ZONE)))
        assert isinstance(found, Outcome)
    strange = set(arguments) - {"to", "thing", "text", "loud"}
    made = bench.gate.make_call("messaging.send", {"to": ["ana@acme.com"], **arguments})
    assert isinstance(made, Outcome) or not strange
    assert bench.service.effects == []


@pytest.mark.parametrize(
    "change",
    [
        {"effects": frozenset({"teleport"})},
        {"effects": frozenset({Effect.SEND, "exec"})},
        {"resolved": ()},
        {"effects": None},
        {"resolved": None},
        {"preview": None},
        {"payload": None},
    ],
    ids=str,
)
async def test_an_effect_or_a_type_that_is_not_known_is_refused(bench: Bench, change: dict[str, Any]) -> None:
    """Invariant 5: an unknown type or effect in what a service prepares is refused, and nothing runs."""
    call = bench.gate.make_call("messaging.send", {"to": ["ana@acme.com"], "text": "hello"})
    assert isinstance(call, Call)
    found = await bench.service.prepare(call, Context(NOW, ZONE))
    assert isinstance(found, Prepared)
    request = bench.gate.request(replace(found, **change), Provenance(), GOAL)
    assert request.ruling.verdict is Verdict.REFUSE
    assert bench.service.effects == []


async def test_a_service_that_names_no_effect_is_taken_at_the_worst_its_tool_may_do(bench: Bench) -> None:
    """Invariant 5: an effect that is left out is the one the tool is declared to have."""
    call = bench.call("send", to=["ana@acme.com"], text="hello")
    nothing = replace(await bench.prepare(call), effects=frozenset())
    request = bench.gate.request(nothing, bench.provenance, GOAL)
    assert request.prepared.effects == {Effect.SEND}
    assert request.ruling.verdict is not Verdict.ALLOW


async def test_a_call_of_a_tool_that_is_not_there_is_refused(bench: Bench) -> None:
    """Invariant 5: no tool, no rule that could allow it."""
    call = bench.gate.make_call("messaging.send", {"to": ["ana@acme.com"], "text": "hello"})
    assert isinstance(call, Call)
    found = await bench.service.prepare(call, Context(NOW, ZONE))
    assert isinstance(found, Prepared)
    for tool in ("messaging.nothing", "mail.send", "send", "", "permissions.grant"):
        request = bench.gate.request(replace(found, call=replace(call, tool=tool)), Provenance(), GOAL)
        assert request.ruling.verdict is Verdict.REFUSE


class Babbling:
    """A model whose output is any bytes, read by the reader that reads every model's."""

    name = "babbling"

    def __init__(self, answers: Sequence[bytes]) -> None:
        self._answers = list(answers)

    async def respond(self, transcript: Sequence[Turn], tools: Sequence[Tool]) -> AsyncGenerator[Piece]:
        if not self._answers:
            return
        reader = CallReader(tools, thinking=False)
        for piece in reader.feed(self._answers.pop(0).decode("utf-8", "replace")):
            yield piece
        for piece in reader.end("stop"):
            yield piece

    async def close(self) -> None:
        return None


MARKS = (
    b"<tool_call>",
    b"</tool_call>",
    b'{"name": "messaging.send", "arguments": {"to": "',
    b'"}}',
    b"\x00",
)
PLAIN = b'<tool_call>{"name": "messaging.delete", "arguments": {"message": "keys"}}</tool_call>'
BYTES = st.lists(st.sampled_from((*MARKS, PLAIN)) | st.binary(max_size=12), max_size=8).map(b"".join)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(st.lists(BYTES, min_size=1, max_size=3))
def test_any_bytes_of_a_model_end_in_a_turn_that_ends_and_calls_that_fit(
    new_folder: Callable[[], Path], answers: list[bytes]
) -> None:
    """Invariant 6: any byte string gives no call or a valid one; no exception reaches the loop."""
    bench = Conversation(new_folder())
    session = Session(Babbling(answers), bench.gate, bench.history, Provenance(), lambda: NOW, ZONE)
    person = Refusing()
    asyncio.run(session.run("do something", person))
    assert person.ended.summary
    assert "an error inside Askfirst" not in person.ended.summary
    for request in person.asked:
        tool = bench.gate.tool(request.call.tool)
        assert tool is not None
        tool.arguments.model_validate(dict(request.call.arguments))
    assert (bench.world.sent, bench.world.trash) == ([], [])
    bench.close()


def test_reading_bytes_for_long_keeps_nothing() -> None:
    """Invariant 6: memory grows by less than a megabyte, however much is read."""
    noise = bytes(range(256)) * 40 + b"<tool_call>" + b'{"name":' * 200

    def read_all(times: int) -> None:
        for _ in range(times):
            reader = CallReader(OFFERED, thinking=False)
            list(reader.feed(noise.decode("utf-8", "replace")))
            list(reader.end("stop"))

    read_all(5)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    read_all(50)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 1_000_000


class Refusing(Person):
    """Says no to everything."""

    async def ask(self, requests: Sequence[Request]) -> Sequence[Decision]:
        self.asked += requests
        return []
