"""The composition root: the one place that knows every concrete part, and puts them together."""

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from assistant.history import History
from assistant.model.base import Model
from assistant.session import Session
from connectors.asking import Asker, GivenUp
from connectors.base import Context
from connectors.calendar.config import Config as CalendarConfig
from connectors.calendar.config import stops as calendar_stops
from connectors.calendar.connecting import connect_calendar
from connectors.calendar.connector import CalendarConnector
from connectors.config import load
from connectors.files.config import Config as FilesConfig
from connectors.files.config import stops as files_stops
from connectors.files.connecting import connect_files
from connectors.files.connector import FilesConnector
from connectors.files.places import Root
from connectors.files.roots import roots_from
from connectors.folder_watch import FolderWatch
from connectors.messaging.accounts import local, messaging
from connectors.messaging.config import Config as MessagingConfig
from connectors.messaging.config import stops as messaging_stops
from connectors.messaging.connecting_contacts import connect_contacts
from connectors.messaging.connecting_matrix import connect_messaging
from connectors.messaging.transport import LoopbackTransport, NoTransport
from connectors.people import AddressBook
from connectors.secrets.chain import Secrets
from connectors.settings.config import Config as SettingsConfig
from connectors.settings.config import stops as settings_stops
from connectors.settings.connecting import connect_settings
from connectors.settings.connector import SettingsConnector
from connectors.settings.device import Device, Value
from connectors.settings.here import this_device
from connectors.settings.simulated import USUAL, SimulatedDevice
from connectors.settings.tools import Setting
from permissions.gate import Gate, Patience
from permissions.grant_store import GrantStore
from permissions.grants import GrantBook
from permissions.journal import Journal
from permissions.past import past_calls
from permissions.provenance import Provenance
from permissions.rule_book import RuleBook
from permissions.rule_file import Tools, read_rules
from permissions.trials import Keeping
from tui.between_services import exchange, inviters
from tui.demo import MAILBOX_LIMIT, MY_ADDRESS, MY_NAME, furnish
from tui.home import Home
from tui.known import Known
from tui.library import Library
from tui.permits import Permits
from tui.places import Places
from tui.planner import Planner
from tui.services import Built, Services
from tui.settings import Settings, zone_of

Clock = Callable[[], datetime]

_PAST = 300
"""How many calls of the journal a permission is held against before it is given."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """What the services over a throw-away world are like.

    `mail` are the settings of the mailbox; `device` is what the device is set to and therefore has; with an
    `account`, messages can be sent through a post office on this machine; `roots` are the folders of files.
    """

    mail: Mapping[str, object]
    device: Mapping[Setting, Value] = field(default_factory=lambda: USUAL)
    account: bool = True
    roots: tuple[str, ...] = ("Documents", "Downloads")


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
    gate = gate_over(places, services, rules, now, settings.hold_seconds)
    gate.trials.keeping = keeping
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
        home.connect = lambda service, asker: connect_service(service, asker, places)
    watched = {rules.folder: rules.reload, services.folder: home.reloading.look}
    services.background.append(FolderWatch(watched))
    latest = history.latest() if resume else None
    if latest:
        session.resume(latest)
    return home


def gate_over(places: Places, services: Services, rules: RuleBook, now: Clock, hold: float) -> Gate:
    """The gate before the services, which follows the rules as they change; `hold` as of Patience.

    Raises JournalError or StoreError.
    """
    journal = Journal(places.state / "journal.db", now)
    book = GrantBook(GrantStore(places.state / "grants.db"), now, lambda: past_calls(journal.entries(_PAST)))
    gate = Gate(services.built, journal, book, now, rules.policy, Patience(hold=hold))
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


def own_services(places: Places) -> Services:
    """The services over the person's own folders and this machine."""
    services = Services(places.config / "connectors")
    book = AddressBook(places.data / "contacts")
    secrets = Secrets(places.config / "secrets")
    _add_calendar(services, places, book, secrets)
    _add_mail(services, places, book, secrets)
    _add_files(services, places, lambda config: roots_from(config, Path.home()))
    _add_settings(services, this_device)
    return services


def connect_service(service: str, asker: Asker, places: Places, *, only_show: bool = False) -> str | None:
    """Set up a service by questions; returns the settings, None where the person gave up.

    Needs a thread without an event loop. Raises ConfigError or OSError.
    """
    # What is known of people belongs to the settings of mail.
    file = "messaging.toml" if service == "contacts" else f"{service}.toml"
    path, secrets = places.config / "connectors" / file, Secrets(places.config / "secrets")
    with contextlib.suppress(GivenUp):
        match service:
            case "files":
                return connect_files(asker, path, Path.home(), only_show=only_show)
            case "settings":
                return connect_settings(asker, path, this_device, only_show=only_show)
        connects = {
            "calendar": connect_calendar,
            "messaging": connect_messaging,
            "contacts": connect_contacts,
        }
        return connects[service](asker, path, secrets, only_show=only_show)
    return None


def demo_services(places: Places, now: datetime) -> Services:
    """The same services over a world that is furnished here and thrown away with its folder."""
    furnish(places.data, places.data / "contacts", now)
    mail = {"name": MY_NAME, "address": MY_ADDRESS, "most_messages": MAILBOX_LIMIT}
    return simulated_services(places, Simulation(mail))


def simulated_services(places: Places, simulation: Simulation) -> Services:
    """Every service over one throw-away folder and a device of its own. Raises ValueError."""
    services = Services(places.config / "connectors")
    book = AddressBook(places.data / "contacts")
    device = SimulatedDevice(simulation.device, file=places.data / "device.json")
    mail = MessagingConfig.model_validate(simulation.mail)
    post = (
        LoopbackTransport(places.data / "post office", device.online) if simulation.account else NoTransport()
    )
    _add_calendar(services, places, book)
    services.add(
        "messaging",
        MessagingConfig,
        lambda _: Built(
            local(places.data / "mail", _state(places, "messaging"), mail, book, post, exchange(services))
        ),
    )
    named = tuple(Root(name, places.data / "files" / name) for name in simulation.roots)
    _add_files(services, places, lambda _: named, trash=places.data / "trash")
    _add_settings(services, lambda _: device)
    return services


def device_state(said: Mapping[str, Value], lacks: Iterable[str] = ()) -> Mapping[Setting, Value]:
    """What a throw-away device is set to: the usual, but for what is said and lacking. Raises ValueError."""
    state = {**USUAL, **{Setting(name): value for name, value in said.items()}}
    for name in lacks:
        del state[Setting(name)]
    return state


def _add_calendar(
    services: Services, places: Places, book: AddressBook, secrets: Secrets | None = None
) -> None:
    def build(config: CalendarConfig) -> Built:
        state = _state(places, "calendar")
        folder, lenders = places.data / "calendar", inviters(services)
        calendar = CalendarConnector(folder, state, config, book, secrets, lenders)
        if not calendar.accounts:
            return Built(calendar)
        return Built(calendar, (calendar,), calendar.check, lambda: calendar.accounts)

    services.add("calendar", CalendarConfig, build, calendar_stops)


def _add_mail(services: Services, places: Places, book: AddressBook, secrets: Secrets) -> None:
    def build(config: MessagingConfig) -> Built:
        folder, state, files = places.data / "mail", _state(places, "messaging"), exchange(services)
        mail = messaging(folder, state, config, book, secrets.find, files, secrets.keep)
        if not mail.background:
            return Built(mail.service)
        return Built(mail.service, mail.background, mail.check, lambda: mail.states)

    services.add("messaging", MessagingConfig, build, messaging_stops)


def _add_files(
    services: Services,
    places: Places,
    roots: Callable[[FilesConfig], tuple[Root, ...]],
    trash: Path | None = None,
) -> None:
    def build(config: FilesConfig) -> Built:
        cache = places.cache / "files" if trash is None else None
        files = FilesConnector(roots(config), _state(places, "files"), config, cache=cache, trash=trash)
        return Built(files, (files,))

    services.add("files", FilesConfig, build, files_stops)


def _add_settings(services: Services, device: Callable[[SettingsConfig], Device]) -> None:
    def build(config: SettingsConfig) -> Built:
        settings = SettingsConnector(device(config), config)
        return Built(settings, probe=settings.probe)

    services.add("settings", SettingsConfig, build, settings_stops)


def _state(places: Places, name: str) -> Path:
    return places.state / name
