"""Many events on a Radicale server: first sync, a change made elsewhere, queries; beside vdirsyncer, khal."""

import asyncio
import os
import statistics
import tempfile
from pathlib import Path

import niquests
from calendar_beside import Others
from calendar_query import NOW, ZONE
from radicale_of import radicale_of
from rows import Row, duration, seconds, timed

from connectors.base import Call, Context, Outcome, Prepared
from connectors.calendar.config import Config
from connectors.calendar.connector import CalendarConnector
from connectors.people import AddressBook
from connectors.secrets.chain import Secrets
from permissions.gate import Gate, Ticket
from permissions.grants import GrantBook
from permissions.journal import Journal
from permissions.provenance import Provenance
from permissions.words import Decision, GoalRef, Reply

EVENTS = int(os.environ.get("ASKFIRST_BENCH_EVENTS", "10000"))
_TIMES = 5
_SHARE = 0.2
_BAR = "<= 1/5"
_WORDS = f"Event {EVENTS // 2 + 1}"
_GOAL = GoalRef("goal", f"what is on this week? and where is {_WORDS}")
_EDITED = """BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Askfirst//Bench//EN\r\nBEGIN:VEVENT\r\nUID:{uid}\r\n\
DTSTAMP:20261130T090000Z\r\nSUMMARY:{title}\r\nDTSTART:20261201T090000Z\r\nDTEND:20261201T100000Z\r\n\
END:VEVENT\r\nEND:VCALENDAR\r\n"""


class Product:
    """The calendar behind the gate: a call is shown, judged, allowed, written down, done and written down."""

    def __init__(self, folder: Path, url: str, fresh: int = 0) -> None:
        account = {
            "url": url,
            "fresh": fresh,
            "user": "ana",
            "password": {"environment": "PASSWORD"},
            "timeout": 120,
        }
        config = Config.model_validate({"local": False, "accounts": {"dav": account}})
        secrets = Secrets(folder / "secrets", {"PASSWORD": "any"})
        self._calendar = CalendarConnector(
            folder / "calendar", folder / "state", config, AddressBook(folder / "p"), secrets
        )
        self._journal = Journal(folder / "journal.db", lambda: NOW)
        self._gate = Gate([self._calendar], self._journal, GrantBook(), lambda: NOW)

    def close(self) -> None:
        self._journal.close()
        self._calendar.close()

    def read_first(self) -> None:
        """Read the server for the first time, which the product does beside the calls."""
        while not asyncio.run(self._read()):
            pass

    async def _read(self) -> bool:
        await self._calendar.check()
        return all(each.synced and not each.problem for each in self._calendar.accounts)

    def agenda(self) -> Outcome:
        return self._do({"when": "this week"})

    def search(self, words: str) -> Outcome:
        return self._do({"search": words, "when": "2025-01-01 to 2028-12-31"})

    def expect(self, title: str) -> None:
        assert title in [item.label for item in self.agenda().items]

    def _do(self, arguments: dict[str, str]) -> Outcome:
        return asyncio.run(self._done(arguments))

    async def _done(self, arguments: dict[str, str]) -> Outcome:
        call = self._gate.make_call("calendar.list_events", arguments)
        assert isinstance(call, Call)
        prepared = await self._gate.prepare(call, Context(NOW, ZONE))
        assert isinstance(prepared, Prepared), prepared
        provenance = Provenance()
        provenance.say(_GOAL.text)
        request = self._gate.request(prepared, provenance, _GOAL)
        yes = Decision(Reply.YES, typed=request.ruling.word, key=request.ruling.key)
        ticket = self._gate.settle(request, yes)
        assert isinstance(ticket, Ticket), ticket
        outcome = await self._gate.perform(ticket)
        assert outcome.ok, outcome.text
        assert outcome.items, outcome.text
        return outcome


def run() -> list[Row]:
    with (
        tempfile.TemporaryDirectory() as name,
        radicale_of(EVENTS, Path(name) / "server") as url,
    ):
        folder = Path(name)
        (folder / "ours").mkdir()
        ours = Product(folder / "ours", url)
        others = Others(folder / "others", url)
        rows = [timed(f"first sync of {EVENTS:,} events", *_first(ours, others), "vdirsyncer")]
        rows.append(timed("the first agenda after it", seconds(ours.agenda), seconds(others.agenda), "khal"))
        rows.append(
            timed("a change elsewhere, synced and listed", *_seen(url, ours, others), "vdirsyncer, khal")
        )
        ours.close()
        anew = Product(folder / "ours", url, fresh=3600)
        started = seconds(anew.agenda)
        rows += _queries(anew, others, started)
        anew.close()
    return rows


def _first(ours: Product, others: Others) -> tuple[float, float]:
    return seconds(ours.read_first), seconds(others.sync)


def _seen(url: str, ours: Product, others: Others) -> tuple[float, float]:
    """How long it takes until an edit made elsewhere is listed, by both in turn."""
    turns = []
    for turn in range(3):
        _edit(url, f"Edited {turn}")
        turns.append(
            (seconds(lambda: ours.expect(f"Edited {turn}")), seconds(lambda: others.expect(f"Edited {turn}")))  # noqa: B023
        )
    mine, theirs = zip(*turns, strict=True)
    return statistics.median(mine), statistics.median(theirs)


def _queries(ours: Product, others: Others, started: float) -> list[Row]:
    """They take turns, so that whatever else the machine does slows all alike."""
    agenda, search = [], []
    for _ in range(_TIMES):
        agenda.append((seconds(ours.agenda), seconds(others.agenda), others.agenda_without_start()))
        found = seconds(lambda: ours.search(_WORDS))
        search.append((found, seconds(lambda: others.search(_WORDS)), others.search_without_start(_WORDS)))
    mine, whole, bare = (statistics.median(each) for each in zip(*agenda, strict=True))
    found, searched, bare_search = (statistics.median(each) for each in zip(*search, strict=True))
    return [
        timed("a week's agenda, first after a start, server asked", started, whole, "khal, no server asked"),
        _held("a week's agenda", mine, whole, "khal"),
        _held("a week's agenda", mine, bare, "khal without its start"),
        _held("a search for words", found, searched, "khal"),
        _held("a search for words", found, bare_search, "khal without its start"),
    ]


def _held(name: str, value: float, baseline: float, what: str) -> Row:
    ratio = value / baseline
    beside = f"{duration(baseline)} {what}"
    return Row(name, duration(value), beside, ratio, _BAR, ratio <= _SHARE)


def _edit(url: str, title: str) -> None:
    """Another program changes an event of this week."""
    uid = str(EVENTS // 2)
    with niquests.Session(disable_http3=True) as session:
        data = _EDITED.format(uid=uid, title=title).encode()
        reply = session.put(f"{url}home/{uid}.ics", data=data, headers={"Content-Type": "text/calendar"})
    assert reply.status_code in (200, 201, 204), reply.status_code
