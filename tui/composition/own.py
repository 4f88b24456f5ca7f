"""The services over what is the person's own."""

from pathlib import Path

from connectors.files.roots import roots_from
from connectors.people import AddressBook
from connectors.secrets.chain import Secrets
from connectors.settings.here import this_device
from tui.composition.recipes import add_calendar, add_files, add_mail, add_settings
from tui.places import Places
from tui.services import Services


def own_services(places: Places) -> Services:
    """The services over the person's own folders and this machine."""
    services = Services(places.config / "connectors")
    book = AddressBook(places.data / "contacts")
    secrets = Secrets(places.config / "secrets")
    add_calendar(services, places, book, secrets)
    add_mail(services, places, book, secrets)
    add_files(services, places, lambda config: roots_from(config, Path.home()))
    add_settings(services, this_device)
    return services
