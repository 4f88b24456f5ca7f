"""Invitations as they come, and somebody who has them."""

import hashlib
from zoneinfo import ZoneInfo

from connectors.base import Needs, Outcome, Question, failed
from connectors.lending import Lent

CET = """BEGIN:VTIMEZONE
TZID:Europe/Copenhagen
BEGIN:STANDARD
DTSTART:20261025T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:20260329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
END:DAYLIGHT
END:VTIMEZONE
"""


class Letters:
    """Invitations that somebody sent, found by their names."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def find(self, said: str, most: int, argument: str, zone: ZoneInfo) -> Lent | Question | Outcome:
        data = self.files.get(said)
        if data is None:
            return failed(Needs.NOT_FOUND, f"No message is called {said}.")
        digest = hashlib.sha256(data).hexdigest()
        where = f"in the message “{said}” from ana@example.org"
        return Lent(f"letter:{said}", said, where, "an invitation", "text/calendar", len(data), digest, "")

    def read(self, lent: Lent) -> bytes | Outcome:
        return self.files[lent.name]


def event(
    start: str, *more: str, sequence: int = 0, stamp: str = "20261129T100000Z", uid: str = "plan@example.org"
) -> str:
    lines = [f"UID:{uid}", f"SEQUENCE:{sequence}", f"DTSTAMP:{stamp}", "SUMMARY:Planning"]
    lines += [
        "ORGANIZER;CN=Ana:mailto:ana@example.org",
        "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ben@x.example",
    ]
    lines += [f"DTSTART;TZID=Europe/Copenhagen:{start}", "DURATION:PT1H"]
    return "\n".join(("BEGIN:VEVENT", *lines, *more, "END:VEVENT"))


def mailed(*events: str, method: str = "REQUEST", zones: str = CET) -> bytes:
    said = f"METHOD:{method}\n" if method else ""
    head = f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Theirs//EN\n{said}{zones}"
    return (head + "\n".join(events) + "\nEND:VCALENDAR\n").replace("\n", "\r\n").encode()


DAILY = event("20261207T090000", "RRULE:FREQ=DAILY;COUNT=5")
