"""What the services do for each other, by the ones that are in force just then."""

from collections.abc import Iterable

from connectors.base import Effect
from connectors.lending import Exchange, FileFinder, FileTaker, Lender, Lends, Receiver, Takes
from tui.services import Services


def exchange(services: Services) -> Exchange:
    """What another service may do with files: as long as these may be read and shared, or be written to."""

    def finder() -> FileFinder | None:
        return next(
            (each.lending for each in _without({Effect.READ, Effect.SHARE}) if isinstance(each, Lends)), None
        )

    def taker() -> FileTaker | None:
        return next((each.taking for each in _without({Effect.WRITE}) if isinstance(each, Takes)), None)

    def _without(effects: set[Effect]) -> Iterable[object]:
        """The services that are not kept from any of these."""
        return (each.now for each in services.built if not each.stops & effects)

    return Exchange(Lender(finder), Receiver(taker))
