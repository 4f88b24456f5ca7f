"""Works out which zones a phrase can mean, and which season an abbreviation speaks of."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from connectors.when.moments import UTC, World, zone_of
from connectors.when.pieces import Zone


def zones_of(zone: Zone | None, world: World) -> tuple[ZoneInfo, ...]:
    """Every zone that the words can mean; the person's own wins where it fits."""
    own = world.zone
    if zone is None or not zone.keys or own.key in zone.keys:
        return (own,)
    if zone.abbreviation and zone.abbreviation in _season_offsets(own, world.now.year):
        return (own,)
    return tuple(ZoneInfo(key) for key in zone.keys)


def other_season(moment: datetime, zone: Zone | None) -> datetime | None:
    """The moment read by the offset that the abbreviation stands for, where the zone then keeps another one.

    "9am EST" in July is 9:00 in New York to some, and 10:00 there to others.
    """
    if zone is None or not zone.abbreviation or moment.tzname() == zone.abbreviation:
        return None
    offset = _season_offsets(zone_of(moment), moment.year).get(zone.abbreviation)
    if offset is None:
        return None
    return (moment.replace(tzinfo=UTC) - offset).astimezone(zone_of(moment))


def _season_offsets(zone: ZoneInfo, year: int) -> dict[str, timedelta]:
    seasons = (datetime(year, month, 1, tzinfo=zone) for month in (1, 7))
    return {moment.tzname() or "": moment.utcoffset() or timedelta() for moment in seasons}
