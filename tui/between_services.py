"""What the services do for each other, by the ones that are in force just then."""

from connectors.base import Effect
from connectors.lending import FileFinder, FileTaker, Lender, Lends, Receiver, Takes
from tui.services import Services


def lender(services: Services) -> Lender:
    """Lends the files of the service that is in force, as long as they may be read and shared."""

    def now() -> FileFinder | None:
        there = (each.now for each in services.built if not each.stops & {Effect.READ, Effect.SHARE})
        return next((each.lending for each in there if isinstance(each, Lends)), None)

    return Lender(now)


def receiver(services: Services) -> Receiver:
    """Gives new files to the files service that is in force, as long as it may be written to."""

    def now() -> FileTaker | None:
        there = (each.now for each in services.built if Effect.WRITE not in each.stops)
        return next((each.taking for each in there if isinstance(each, Takes)), None)

    return Receiver(now)
