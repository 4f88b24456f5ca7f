"""How each service is built from its settings."""

from collections.abc import Callable
from pathlib import Path

from connectors.calendar.config import Config as CalendarConfig
from connectors.calendar.config import stops as calendar_stops
from connectors.calendar.connector import CalendarConnector
from connectors.files.config import Config as FilesConfig
from connectors.files.config import stops as files_stops
from connectors.files.connector import FilesConnector
from connectors.files.places import Root
from connectors.messaging.accounts import messaging
from connectors.messaging.config import Config as MessagingConfig
from connectors.messaging.config import stops as messaging_stops
from connectors.people import AddressBook
from connectors.secrets.chain import Secrets
from connectors.settings.config import Config as SettingsConfig
from connectors.settings.config import stops as settings_stops
from connectors.settings.connector import SettingsConnector
from connectors.settings.device import Device
from tui.between_services import exchange, inviters
from tui.places import Places
from tui.services import Built, Services


def add_calendar(
    services: Services, places: Places, book: AddressBook, secrets: Secrets | None = None
) -> None:
    """The calendar: a folder, and accounts with the address book and secrets that they need."""

    def build(config: CalendarConfig) -> Built:
        state = state_of(places, "calendar")
        folder, lenders = places.data / "calendar", inviters(services)
        calendar = CalendarConnector(folder, state, config, book, secrets, lenders)
        if not calendar.accounts:
            return Built(calendar)
        return Built(calendar, (calendar,), calendar.check, lambda: calendar.accounts)

    services.add("calendar", CalendarConfig, build, calendar_stops)


def add_mail(services: Services, places: Places, book: AddressBook, secrets: Secrets) -> None:
    """Messages: accounts or a folder of mail, and the files that go along with them."""

    def build(config: MessagingConfig) -> Built:
        folder, state, files = places.data / "mail", state_of(places, "messaging"), exchange(services)
        mail = messaging(folder, state, config, book, secrets.find, files, secrets.keep)
        if not mail.background:
            return Built(mail.service)
        return Built(mail.service, mail.background, mail.check, lambda: mail.states)

    services.add("messaging", MessagingConfig, build, messaging_stops)


def add_files(
    services: Services,
    places: Places,
    roots: Callable[[FilesConfig], tuple[Root, ...]],
    trash: Path | None = None,
) -> None:
    """Files below the roots; with a `trash` of its own there is no index."""

    def build(config: FilesConfig) -> Built:
        cache = places.cache / "files" if trash is None else None
        files = FilesConnector(roots(config), state_of(places, "files"), config, cache=cache, trash=trash)
        return Built(files, (files,))

    services.add("files", FilesConfig, build, files_stops)


def add_settings(services: Services, device: Callable[[SettingsConfig], Device]) -> None:
    """The settings of a device."""

    def build(config: SettingsConfig) -> Built:
        settings = SettingsConnector(device(config), config)
        return Built(settings, probe=settings.probe)

    services.add("settings", SettingsConfig, build, settings_stops)


def state_of(places: Places, name: str) -> Path:
    """Where a service keeps what it must know the next time."""
    return places.state / name
