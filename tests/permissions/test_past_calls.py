"""An offer tells which calls that were really done it would have covered, from the journal's record."""

from permissions.grants import GrantBook
from permissions.past import past_calls
from permissions.words import Decision, Reply, Scope
from tests.permissions.fakes import ANA, Bench


async def test_only_what_was_done_and_the_permission_reaches_is_told_newest_first(bench: Bench) -> None:
    bench.grants = GrantBook(clock=bench.clock, past=lambda: past_calls(bench.journal.entries(50)))
    bench.__post_init__()
    await bench.run(bench.call("read", thing="note:1"))
    await bench.run(bench.call("read", thing="note:2"), Decision(Reply.NO))
    await bench.run(bench.call("send", to=[ANA], text="d"))
    told = {offer.grant.scope: offer.covered for offer in (await bench.ask(bench.call("read"))).offers}
    when = bench.clock().strftime("%a %d %b %H:%M")
    assert told[Scope.ALWAYS] == (f"{when}  Read something",)
    assert told[Scope.GOAL] == ()


async def test_what_is_not_known_to_be_done_is_not_told(bench: Bench) -> None:
    await bench.run(bench.call("read", thing="note:1"))
    await bench.run(bench.call("read", thing="note:2"), Decision(Reply.NO))
    entries = bench.journal.entries()
    assert [entry.state.value for entry in entries] == ["denied", "done"]
    (past,) = past_calls(entries)
    assert past.prepared.call.tool == "messaging.read"
    assert [thing.value for thing in past.prepared.resolved] == ["note:1"]
