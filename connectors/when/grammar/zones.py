"""Forms that name a time zone: IANA keys, "London time", abbreviations."""

import re
from functools import cache
from importlib.resources import files

from connectors.when.grammar.scan import Rule, rule, said
from connectors.when.pieces import Piece, Zone

_ABBREVIATIONS = {
    "utc": ("UTC",),
    "gmt": ("UTC",),
    "bst": ("Europe/London", "Asia/Dhaka"),
    "wet": ("Europe/Lisbon",),
    "west": ("Europe/Lisbon",),
    "cet": ("Europe/Berlin",),
    "cest": ("Europe/Berlin",),
    "eet": ("Europe/Helsinki",),
    "eest": ("Europe/Helsinki",),
    "msk": ("Europe/Moscow",),
    "ist": ("Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"),
    "est": ("America/New_York",),
    "edt": ("America/New_York",),
    "cst": ("America/Chicago", "Asia/Shanghai"),
    "cdt": ("America/Chicago",),
    "mst": ("America/Denver", "America/Phoenix"),
    "mdt": ("America/Denver",),
    "pst": ("America/Los_Angeles", "Asia/Manila"),
    "pdt": ("America/Los_Angeles",),
    "jst": ("Asia/Tokyo",),
    "kst": ("Asia/Seoul",),
    "sgt": ("Asia/Singapore",),
    "hkt": ("Asia/Hong_Kong",),
    "aest": ("Australia/Sydney", "Australia/Brisbane"),
    "aedt": ("Australia/Sydney",),
    "nzst": ("Pacific/Auckland",),
    "nzdt": ("Pacific/Auckland",),
}
_REGIONS = {
    "eastern": ("America/New_York",),
    "central": ("America/Chicago",),
    "mountain": ("America/Denver",),
    "pacific": ("America/Los_Angeles",),
    "uk": ("Europe/London",),
    "british": ("Europe/London",),
    "central european": ("Europe/Berlin",),
    "et": ("America/New_York",),
    "ct": ("America/Chicago",),
    "pt": ("America/Los_Angeles",),
}


@cache
def _keys() -> dict[str, str]:
    listed = files("tzdata").joinpath("zones").read_text(encoding="ascii").split()
    return {key.lower(): key for key in listed}


@cache
def _cities() -> dict[str, tuple[str, ...]]:
    cities: dict[str, tuple[str, ...]] = {}
    for key in _keys().values():
        area, _, place = key.rpartition("/")
        if area and not area.startswith(("Etc", "SystemV", "US", "Canada", "Brazil", "Mexico", "Chile")):
            name = place.lower().replace("_", " ")
            cities[name] = (*cities.get(name, ()), key)
    return cities


def _named(match: re.Match[str]) -> tuple[Piece, ...]:
    key = _keys().get(match["key"])
    return (Zone((key,)),) if key else ()


def _city(match: re.Match[str]) -> tuple[Piece, ...]:
    name = match["city"]
    keys = _REGIONS.get(name) or _cities().get(name)
    if keys:
        return (Zone(keys[:6]),)
    return (Zone(_ABBREVIATIONS[name], name.upper()),) if name in _ABBREVIATIONS else ()


def _abbreviation(match: re.Match[str]) -> tuple[Piece, ...]:
    return (Zone(_ABBREVIATIONS[match["name"]], match["name"].upper()),)


ZONE_RULES: tuple[Rule, ...] = (
    rule("(?:in )?(?P<key>[a-z]+(?:/[a-z0-9_+-]+)+)", _named),
    rule("(?:in )?(?P<city>[a-z'-]+(?: [a-z'-]+){0,2}) time", _city),
    rule(f"(?P<name>{'|'.join(sorted(_ABBREVIATIONS, key=len, reverse=True))})", _abbreviation),
    said("(?:my|our|local) time", Zone(())),
)
