"""What the services do for each other, by the ones that are in force just then."""

from collections.abc import Iterable

from connectors.base import Effect, Needs, failed
from connectors.lending import Exchange, FileFinder, FileTaker, Invites, Lender, Lends, Receiver, Takes
from tui.services import Services

_NO_MAIL = failed(Needs.UNAVAILABLE, "Messages may not be looked in for an invitation.")


def exchange(services: Services) -> Exchange:
    """What another service may do with files: as long as these may be read and shared, or be written to."""

    def finder() -> FileFinder | None:
        there = _without(services, {Effect.READ, Effect.SHARE})
        return next((each.lending for each in there if isinstance(each, Lends)), None)

    def taker() -> FileTaker | None:
        return next(
            (each.taking for each in _without(services, {Effect.WRITE}) if isinstance(each, Takes)), None
        )

    return Exchange(Lender(finder), Receiver(taker))


def inviters(services: Services) -> tuple[FileFinder, FileFinder]:
    """Where invitations are looked for: in messages, as long as these may be read, and then in files."""

    def finder() -> FileFinder | None:
        there = _without(services, {Effect.READ})
        return next((each.invitations for each in there if isinstance(each, Invites)), None)

    return Lender(finder, _NO_MAIL), exchange(services).files


def _without(services: Services, effects: set[Effect]) -> Iterable[object]:
    """The services that are not kept from any of these."""
    return (each.now for each in services.built if not each.stops & effects)
