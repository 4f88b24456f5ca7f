"""How every service and each of its accounts is doing, for a person to read."""

from collections.abc import Iterator

from connectors.account_state import AccountState
from connectors.mode import EVERYTHING, Mode, forbidden
from tui.house import ConnectorState
from tui.services import Running, Services


def states_of(services: Services) -> tuple[ConnectorState, ...]:
    """The services in their order, each followed by its accounts."""
    return tuple(state for running in services.running for state in _states(running))


def _states(running: Running) -> Iterator[ConnectorState]:
    built = running.built
    if built is None:
        yield ConnectorState(running.name, "off", running.fault, Mode.OFF)
        return
    verbs = ", ".join(tool.name.partition(".")[2] for tool in running.live.tools if tool.offered)
    yield ConnectorState(running.name, _word(running, bool(verbs)), verbs or _nothing(running), running.mode)
    if forbidden(running.mode) != EVERYTHING:
        yield from (_account(each) for each in built.accounts())


def _word(running: Running, offers: bool) -> str:
    if running.mode != Mode.FULL:
        return running.mode
    return "ready" if offers else "unavailable"


def _nothing(running: Running) -> str:
    return f"turned off in {running.name}.toml" if running.mode == Mode.OFF else ""


def _account(account: AccountState) -> ConnectorState:
    return ConnectorState(
        account.name,
        account.word,
        account.detail,
        account.mode,
        account.synced,
        account.server,
        account.notes,
        account=True,
    )
