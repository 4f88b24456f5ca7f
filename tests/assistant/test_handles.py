"""The model points at listed things by short names, and code knows what they are."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.handles import Handles
from assistant.model.base import Goal, Result, Text, Wish
from connectors.base import Call, Context, Item, Outcome, Prepared, Question
from permissions.gate import Gate
from permissions.grants import GrantBook
from permissions.words import Flag
from tests.assistant.bench import Bench
from tests.assistant.fakes import NOW, FakeDevice, FakePost, Person, World


def listed(*handles: str) -> Result:
    return Result("c", Outcome(True, "", items=tuple(Item(handle, "x") for handle in handles)))


class TestNames:
    def test_things_are_numbered_by_kind_in_the_order_they_were_listed(self) -> None:
        handles = Handles([listed("event:a/b", "message:x"), listed("event:c", "event:a/b")])
        assert [handles.name(handle) for handle in ("event:a/b", "message:x", "event:c")] == [
            "event:1",
            "message:1",
            "event:2",
        ]

    def test_a_short_name_stands_for_its_handle_wherever_it_is_the_whole_value(self) -> None:
        handles = Handles([listed("contact:ana", "contact:ben")])
        assert handles.long(["contact:1", " contact:2 ", "Eve", 3, None]) == [
            "contact:ana",
            "contact:ben",
            "Eve",
            3,
            None,
        ]
        assert handles.long({"to": "contact:2"}) == {"to": "contact:ben"}
        assert handles.long("see contact:2") == "see contact:2"
        assert handles.long("contact:3") == "contact:3"
        assert handles.short(["contact:ben", "Eve"]) == ["contact:2", "Eve"]

    def test_what_is_no_list_names_nothing(self) -> None:
        handles = Handles([Goal("event:1"), listed("")])
        assert handles.long("event:1") == "event:1"
        assert handles.name("") == ""

    def test_the_same_turns_give_the_same_names(self) -> None:
        turns = [listed("event:a"), listed("event:b", "event:a")]
        one_by_one = Handles()
        for turn in turns:
            one_by_one.learn(turn)
        assert one_by_one.name("event:b") == Handles(turns).name("event:b") == "event:2"


class ListingPost(FakePost):
    """The fake mailbox, whose reading lists every message with a handle that spells its name."""

    async def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        name = str(call.arguments.get("message") or "")
        plain = Call(call.id, call.tool, {**call.arguments, "message": name.removeprefix("message:in/")})
        found = await super().prepare(plain if name else call, context)
        if isinstance(found, Prepared):
            return Prepared(
                call,
                found.effects,
                found.resolved,
                found.payload,
                found.preview,
                found.basis,
                found.undo,
            )
        return found

    async def perform(self, prepared: Prepared) -> Outcome:
        if prepared.call.tool == "messaging.read":
            items = tuple(Item(f"message:in/{name}", name) for name in self.world.inbox)
            return Outcome(True, "Read it.", items=items)
        return await super().perform(prepared)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    world = bench.world = World()
    bench.gate = Gate([ListingPost(world), FakeDevice(world)], bench.journal, GrantBook(), lambda: NOW)
    yield bench
    bench.close()


READ = Wish("messaging.read", {"message": "keys"})
DELETE = Wish("messaging.delete", {"message": "message:2"})


async def test_the_model_points_and_code_finds_the_thing(bench: Bench) -> None:
    waits = Wish("messaging.delete", {"message": "?"})
    person = await bench.run("read keys, drop the second", Person(), [READ, waits], [DELETE], [Text("Done.")])
    request = person.asked[1]
    assert request.call.arguments == {"message": "message:in/keys"}
    assert Flag.NOT_IN_PLAN not in request.ruling.flags
    assert bench.world.trash == ["keys"]
    assert "message:in/" not in repr(bench.model.heard)


async def test_a_later_goal_may_point_at_what_an_earlier_one_listed(bench: Bench) -> None:
    bench.session = bench.new_session([READ], [Text("So.")], [DELETE])
    await bench.session.run("read keys", Person())
    await bench.session.run("drop the second one", Person())
    assert bench.world.trash == ["keys"]


async def test_a_session_taken_up_again_has_the_same_names(bench: Bench) -> None:
    await bench.run("read keys", Person(), [READ])
    past = bench.history.latest()
    assert past is not None
    session = bench.new_session([DELETE])
    session.resume(past)
    await session.run("drop the second one", Person())
    assert bench.world.trash == ["keys"]
