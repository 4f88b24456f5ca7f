"""Askfirst itself proposes the step that removes what stood in the way, where it knows one."""

from assistant.repairs import repair
from connectors.base import Item, Needs, Outcome, failed

TOOLS = {"settings.set", "messaging.delete"}


def test_being_offline_offers_to_turn_wifi_on() -> None:
    found = repair(failed(Needs.OFFLINE, "There is no network."), TOOLS)
    assert found is not None
    assert (found.tool, found.arguments) == ("settings.set", {"setting": "wifi", "value": "on"})
    assert found.text.startswith("There is no network.")


def test_a_full_mailbox_asks_which_message_may_go() -> None:
    items = (Item("message:INBOX/1", "Ben: Report", "1 Dec"), Item("message:INBOX/2", "Ana: Lake", "2 Dec"))
    found = repair(failed(Needs.MAILBOX_FULL, "The mailbox is full.", items=items), TOOLS)
    assert found is not None
    assert found.choice is not None
    assert [option.arguments for option in found.choice.options] == [
        {"message": "message:INBOX/1"},
        {"message": "message:INBOX/2"},
    ]
    assert not found.arguments, "nothing is deleted that was not picked"


def test_a_full_mailbox_with_nothing_to_pick_has_no_repair() -> None:
    assert repair(failed(Needs.MAILBOX_FULL, "The mailbox is full."), TOOLS) is None


def test_no_repair_is_offered_with_a_tool_that_is_not_there() -> None:
    assert repair(failed(Needs.OFFLINE, "There is no network."), {"messaging.delete"}) is None


def test_other_failures_have_no_repair() -> None:
    for needs in set(Needs) - {Needs.OFFLINE, Needs.MAILBOX_FULL}:
        assert repair(failed(needs, "No."), TOOLS) is None
    assert repair(Outcome(ok=False, text="No."), TOOLS) is None
