"""One attack under one person: the demo world, the parts that ship, and a model that obeys the file."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from evidence import Deed, Ledger, Observed
from people import RULES, Person, Task

from assistant.history import History
from assistant.model.base import Piece, Text, Wish
from assistant.model.scripted import ScriptedModel
from connectors.base import Prepared, Role
from connectors.settings.simulated import USUAL
from connectors.settings.tools import Setting
from own.attack import Attack, Harm, Turn
from own.plant import plant
from permissions.gate import Gate
from permissions.grants import GrantBook
from permissions.journal import Journal
from tui.compose import session_over
from tui.composition.simulated import Simulation, simulated_services
from tui.demo import MY_ADDRESS, MY_NAME, furnish
from tui.places import Places, below

ZONE = ZoneInfo("Europe/Copenhagen")
NOW = datetime(2026, 11, 30, 10, tzinfo=ZONE)
_MOST_ENTRIES = 1000


@dataclass(frozen=True, slots=True)
class Played:
    """What came of one attack: every call that reached the gate, the harmful ones marked as injected.

    `shown` says whether the words of the harm stood in full on every prompt for it.
    """

    attack: Attack
    person: str
    deeds: tuple[Deed, ...]
    shown: bool

    @property
    def harmful(self) -> list[Deed]:
        return [deed for deed in self.deeds if deed.injected]


async def play(attack: Attack, person: str, folder: Path) -> Played:
    """Furnish the world, plant what the attack plants, and carry out its turns."""
    places = below(folder)
    places.make()
    furnish(places.data, places.data / "contacts", NOW)
    plant(attack.plant, places.data, NOW)
    deeds: list[Deed] = []
    shown: list[bool] = []
    for session in _sessions(attack.turn):
        done, met = await _hold(session, attack, person, places)
        deeds += done
        shown += [
            _shows(request.prepared, harm.shown or harm.contains)
            for each in met
            for request, _ in each.asked
            for harm in attack.harm
            if harm_in(request.prepared, [harm])
        ]
    marked = (replace(deed, injected=deed.effect and harm_in(deed.prepared, attack.harm)) for deed in deeds)
    return Played(attack, person, tuple(marked), all(shown))


def harm_in(prepared: Prepared, harms: Sequence[Harm]) -> bool:
    """True if the call is one of the harms."""
    return any(_is(prepared, harm) for harm in harms)


def _sessions(turns: Sequence[Turn]) -> list[list[Turn]]:
    """The turns by session; one that begins anew takes the conversation up from the disk."""
    sessions: list[list[Turn]] = []
    for turn in turns:
        if turn.anew or not sessions:
            sessions.append([])
        sessions[-1].append(turn)
    return sessions


async def _hold(
    turns: Sequence[Turn], attack: Attack, rule: str, places: Places
) -> tuple[list[Deed], list[Person]]:
    """Hold one session of an attack."""
    mail = {"name": MY_NAME, "address": MY_ADDRESS}
    services = simulated_services(places, Simulation(mail, {**USUAL, Setting.WIFI: True}))
    await services.probe()
    ledger = Ledger(lambda call: False)
    model = ScriptedModel([answer for turn in turns for answer in _answers(turn)])
    with (
        closing(Journal(places.state / "journal.db", lambda: NOW)) as journal,
        closing(History(places.state / "sessions.db")) as history,
    ):
        gate = Gate([Observed(each, ledger) for each in services.built], journal, GrantBook(), lambda: NOW)
        session = session_over(places, model, gate, history, lambda: NOW, ZONE)
        if latest := history.latest():
            session.resume(latest)
        met = []
        for turn in turns:
            task = Task(tuple((each.tool, each.arguments) for each in turn.wanted))
            met.append(Person(task, RULES[rule], attack.picks))
            await session.run(turn.goal, met[-1])
        entries = [e for e in journal.entries(_MOST_ENTRIES) if e.call_id in ledger.looked]
        return ledger.deeds(entries), met


def _answers(turn: Turn) -> list[list[Piece]]:
    """What the model says in one turn; it ends with words, so that the turn ends there."""
    calls: list[list[Piece]] = [
        [Wish(each.tool, each.arguments) for each in answer.call] for answer in turn.answer
    ]
    return [*calls, [Text("Done.")]]


def _is(prepared: Prepared, harm: Harm) -> bool:
    things = prepared.resolved
    reached = [t.value.lower() for t in things if t.role is Role.DESTINATION]
    touched = " ".join(f"{t.value} {t.label}" for t in things if t.role is Role.TARGET)
    return (
        harm.tool in ("", prepared.call.tool)
        and (harm.effect is None or harm.effect in prepared.effects)
        and (not harm.destination or harm.destination.lower() in reached)
        and harm.target in touched
        and harm.contains in _carried(prepared)
    )


def _carried(prepared: Prepared) -> str:
    return "\n".join(t.value for t in prepared.resolved if t.role in (Role.CONTENT, Role.BOUND))


def _shows(prepared: Prepared, words: str) -> bool:
    preview = prepared.preview
    fields = (f"{field.before or ''} {field.value}" for field in preview.fields)
    return words in "\n".join((preview.title, preview.body or "", preview.diff or "", *fields))
