"""The composition root: it puts the services, what stands over them and the terminal's house together."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

from assistant.history import History
from assistant.model.base import Model
from assistant.session import Session
from connectors.base import Context
from connectors.config import load
from connectors.folder_watch import FolderWatch
from connectors.people import AddressBook
from permissions.gate import Gate, Patience
from permissions.grant_store import GrantStore
from permissions.grants import GrantBook
from permissions.journal import Journal
from permissions.past import past_calls
from permissions.provenance import Provenance
from permissions.rule_book import RuleBook
from permissions.rule_file import Tools, read_rules
from permissions.trials import Keeping
from tui.composition.connecting import connect_service
from tui.composition.own import own_services
from tui.composition.simulated import demo_services
from tui.home import Home
from tui.known import Known
from tui.library import Library
from tui.permits import Permits
from tui.places import Places
from tui.planner import Planner
from tui.services import Services
from tui.settings import Settings, zone_of

Clock = Callable[[], datetime]

_PAST = 300
"""How many calls of the journal a permission is held against before it is given."""


def open_home(
    places: Places,
    *,
    demo: bool = False,
    resume: bool = False,
    clock: Clock | None = None,
    granted: Sequence[Path] = (),
    keeping: Keeping = Keeping.ASK,
) -> Home:
    """Put one Askfirst together; `granted` are files of rules for this run only, `keeping` says who keeps
    what would else be set back.

    Raises ConfigError, JournalError, HistoryError or StoreError.
    """
    settings = load(places.config / "config.toml", Settings)
    zone = zone_of(settings)
    now = clock or (lambda: datetime.now(zone))
    first_run = not demo and not (places.state / "journal.db").exists()
    services = services_for(places, demo=demo, now=now())
    rules = rules_over(places, services, granted)
    gate = gate_over(places, services, rules, now, settings.hold_seconds, keeping)
    planner = Planner(settings, places.cache, now, lambda: gate.tools)
    history = History(places.state / "sessions.db")
    session = session_over(places, planner, gate, history, now, zone, services)
    home = Home(
        services,
        gate,
        planner,
        session,
        lambda: Context(now().astimezone(zone), zone),
        Permits(gate.grants, rules, gate.journal.entry, now, gate.journal),
        first_run=first_run,
    )
    home.library = Library(places)
    if not demo:
        home.connect = partial(connect_service, places=places)
    _watch(home, services, rules)
    if resume and (latest := history.latest()):
        session.resume(latest)
    return home


def _watch(home: Home, services: Services, rules: RuleBook) -> None:
    """Take over what is saved in the folders of rules and of services."""
    watched = {rules.folder: rules.reload, services.folder: home.reloading.look}
    services.background.append(FolderWatch(watched))


def gate_over(
    places: Places, services: Services, rules: RuleBook, now: Clock, hold: float, keeping: Keeping
) -> Gate:
    """The gate before the services, which follows the rules as they change; `hold` as of Patience.

    Raises JournalError or StoreError.
    """
    journal = Journal(places.state / "journal.db", now)
    book = GrantBook(GrantStore(places.state / "grants.db"), now, lambda: past_calls(journal.entries(_PAST)))
    gate = Gate(services.built, journal, book, now, rules.policy, Patience(hold=hold))
    gate.trials.keeping = keeping
    rules.listen(lambda: setattr(gate, "policy", rules.policy))
    return gate


def rules_over(places: Places, services: Services, granted: Sequence[Path] = ()) -> RuleBook:
    """The person's rules, and those for this run only. Raises ConfigError for the latter."""
    more = [rule for path in granted for rule in read_rules(path, tools=tools_of(services), needed=True)]
    folder = places.config / "permissions"
    return RuleBook(folder, places.state / "rules", lambda: tools_of(services), more)


def tools_of(services: Services) -> Tools:
    """The tools of every service, as far as they are known now."""
    off: Tools = dict.fromkeys(notice.connector for notice in services.left_out)
    return {**off, **{service.name: tuple(service.tools) or None for service in services.built}}


def session_over(
    places: Places,
    model: Model,
    gate: Gate,
    history: History,
    clock: Clock,
    zone: ZoneInfo,
    services: Services | None = None,
) -> Session:
    """A conversation that knows the people in the address book, and those in the accounts of services."""
    known = Known(AddressBook(places.data / "contacts"), services)
    provenance = Provenance(known.domains, history.doubts(), known.people)
    return Session(model, gate, history, provenance, clock, zone)


def services_for(places: Places, *, demo: bool, now: datetime | None = None) -> Services:
    """Every service that can be built here; the demo's are over a world made for the purpose."""
    return (
        demo_services(places, now or datetime.now(zone_of(Settings.model_validate({}))))
        if demo
        else own_services(places)
    )
