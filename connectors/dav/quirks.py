"""What is peculiar about known servers, as data; an unknown server is taken at its word."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Profile:
    """One kind of server.

    It is known by the end of its host's name, or by words in the Server, DAV or X- headers of its answers.
    `starts` are the addresses that discovery begins at, by the names of RFC 6764; `sign_in` is what a person
    should know about its passwords; `look_first`: it does not enforce If-None-Match; `name_by_uid`: items are
    named by their UID; `mails`: it mails the people invited whatever its headers say; `tasks`: it keeps
    tasks; `trash_keeps_uid`: a deleted event stands in the way of its own return; `notes` say what is
    peculiar about its calendars.
    """

    name: str
    title: str
    hosts: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    starts: Mapping[str, str] = field(default_factory=dict)
    sign_in: str = ""
    look_first: bool = False
    name_by_uid: bool = False
    mails: bool = False
    tasks: bool = True
    sync_token: bool = True
    trash_keeps_uid: bool = False
    notes: tuple[str, ...] = ()

    def called(self, protocol: str) -> str:
        """What the server is, or where that is not known that it speaks this protocol."""
        return self.title or f"a {protocol} server"

    def start(self, service: str) -> str:
        """Where discovery of caldav or carddav begins, empty where that is not known."""
        return self.starts.get(service, "")


UNKNOWN = Profile("", "")

PROFILES = (
    Profile(
        "google",
        "Google Calendar",
        hosts=("apidata.googleusercontent.com", "www.googleapis.com"),
        starts={
            "caldav": "https://apidata.googleusercontent.com/caldav/v2/",
            "carddav": "https://www.googleapis.com/.well-known/carddav",
        },
        sign_in='Google takes no password here: set auth = "bearer" and a command that prints a token.',
        look_first=True,
        name_by_uid=True,
        mails=True,
        tasks=False,
        notes=("keeps no tasks", "mails the people invited itself", "does not check that a new event is new"),
    ),
    Profile(
        "icloud",
        "iCloud",
        hosts=("icloud.com",),
        starts={"caldav": "https://caldav.icloud.com/", "carddav": "https://contacts.icloud.com/"},
        sign_in="iCloud needs an app-specific password, made at account.apple.com.",
        mails=True,
        tasks=False,
        notes=("keeps no tasks in event calendars", "mails the people invited itself"),
    ),
    Profile(
        "nextcloud",
        "Nextcloud",
        words=("x-nextcloud", "nextcloud", "nc-calendar"),
        sign_in="With two-factor sign-in, Nextcloud needs an app password.",
        mails=True,
        trash_keeps_uid=True,
        notes=("deleted events stay in its own trash for a time", "mails the people invited itself"),
    ),
    Profile(
        "fastmail",
        "Fastmail",
        hosts=("fastmail.com",),
        starts={
            "caldav": "https://caldav.fastmail.com/dav/",
            "carddav": "https://carddav.fastmail.com/dav/",
        },
        sign_in="Fastmail needs an app password.",
        mails=True,
        notes=("mails the people invited itself",),
    ),
    Profile(
        "baikal",
        "Baikal",
        words=("sabredav", "sabre"),
        notes=("may keep an event twice; Askfirst writes each UID once",),
    ),
    Profile("radicale", "Radicale", words=("radicale",), notes=("mails nobody",)),
    Profile(
        "xandikos",
        "Xandikos",
        words=("xandikos",),
        notes=("forgets sync tokens; then everything is compared",),
    ),
    Profile(
        "davmail",
        "Exchange through DavMail",
        words=("davmail",),
        sync_token=False,
        mails=True,
        notes=("mails the people invited itself", "writes events in its own words"),
    ),
    Profile("cyrus", "Cyrus", words=("cyrus-httpd", "cyrus")),
    Profile("sogo", "SOGo", words=("sogo",), look_first=True),
    Profile("zimbra", "Zimbra", words=("zimbra",), look_first=True),
    Profile(
        "yahoo",
        "Yahoo",
        hosts=("yahoo.com",),
        starts={
            "caldav": "https://caldav.calendar.yahoo.com/",
            "carddav": "https://carddav.address.yahoo.com/",
        },
        look_first=True,
    ),
)


def profile_named(name: str) -> Profile | None:
    """The profile of that name."""
    return next((each for each in PROFILES if each.name == name), None)


def recognise(url: str, headers: Mapping[str, str]) -> Profile:
    """The kind of server that an address, and the headers of its answers, speak of."""
    host = urlsplit(url).hostname or ""
    said = " ".join(
        f"{name}:{value}" if name.lower().startswith("x-") else value
        for name, value in headers.items()
        if name.lower() in ("server", "dav") or name.lower().startswith("x-")
    ).lower()
    for profile in PROFILES:
        if any(host == end or host.endswith(f".{end}") for end in profile.hosts):
            return profile
    return next((each for each in PROFILES if any(word in said for word in each.words)), UNKNOWN)
