"""Setting up a service by questions."""

import contextlib
from pathlib import Path

from connectors.asking import Asker, GivenUp
from connectors.calendar.connecting import connect_calendar
from connectors.files.connecting import connect_files
from connectors.messaging.connecting_contacts import connect_contacts
from connectors.messaging.connecting_matrix import connect_messaging
from connectors.secrets.chain import Secrets
from connectors.settings.connecting import connect_settings
from connectors.settings.here import this_device
from tui.places import Places


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
