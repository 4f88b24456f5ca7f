"""The services over a throw-away world, with a device and a post office of their own."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from connectors.files.places import Root
from connectors.messaging.accounts import local
from connectors.messaging.config import Config as MessagingConfig
from connectors.messaging.transport import LoopbackTransport, NoTransport
from connectors.people import AddressBook
from connectors.settings.device import Value
from connectors.settings.simulated import USUAL, SimulatedDevice
from connectors.settings.tools import Setting
from tui.between_services import exchange
from tui.composition.recipes import add_calendar, add_files, add_settings, state_of
from tui.demo import MAILBOX_LIMIT, MY_ADDRESS, MY_NAME, furnish
from tui.places import Places
from tui.services import Built, Services


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
    add_calendar(services, places, book)
    services.add(
        "messaging",
        MessagingConfig,
        lambda _: Built(
            local(places.data / "mail", state_of(places, "messaging"), mail, book, post, exchange(services))
        ),
    )
    named = tuple(Root(name, places.data / "files" / name) for name in simulation.roots)
    add_files(services, places, lambda _: named, trash=places.data / "trash")
    add_settings(services, lambda _: device)
    return services


def device_state(said: Mapping[str, Value], lacks: Iterable[str] = ()) -> Mapping[Setting, Value]:
    """What a throw-away device is set to: the usual, but for what is said and lacking. Raises ValueError."""
    state = {**USUAL, **{Setting(name): value for name, value in said.items()}}
    for name in lacks:
        del state[Setting(name)]
    return state
