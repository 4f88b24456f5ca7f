"""What CalDAV calls things (RFC 4791)."""

from typing import Final

from connectors.calendar.agree import differences
from connectors.calendar.store import SUFFIX
from connectors.dav.kind import Kind


def _same(one: bytes, other: bytes) -> bool:
    return not differences(one, other)


CALENDARS: Final = Kind(
    protocol="CalDAV",
    folder="calendar",
    item="event",
    well_known="caldav",
    namespace="urn:ietf:params:xml:ns:caldav",
    home="calendar-home-set",
    resource="calendar",
    data="calendar-data",
    multiget="calendar-multiget",
    of_user="<k:calendar-user-address-set/><k:schedule-outbox-URL/>",
    of_folder="<k:supported-calendar-component-set/>",
    media="text/calendar",
    suffix=SUFFIX,
    same=_same,
)
