"""All tools of all services are found by name, and what does not fit a tool is told in one sentence."""

import asyncio
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest
from pydantic import AfterValidator, Field, JsonValue

from connectors.base import (
    Call,
    Context,
    Effect,
    Needs,
    Outcome,
    Prepared,
    Question,
    Tool,
    ToolArguments,
    failed,
)
from permissions.toolbox import Toolbox, made_call, no_tool
from tests.permissions.fakes import ANA, NOW, ZONE, FakeService

HERE = Context(NOW, ZONE)


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


def _never(text: str) -> str:
    raise ValueError(text)


class Everything(ToolArguments):
    name: str
    count: int = 1
    sure: bool = False
    many: tuple[str, ...] = ()
    listed: list[str] = []
    colour: Colour = Colour.RED
    size: Literal["small", "large"] = "small"
    share: Annotated[float, Field(le=1)] = 0
    odd: Annotated[str, AfterValidator(_never)] = ""


class Nothing(ToolArguments):
    pass


MAKE = Tool("craft.make", "", Everything, Effect.WRITE)
REST = Tool("craft.rest", "", Nothing, Effect.READ)


class TestFinding:
    def test_the_tools_of_all_services_stand_in_their_order(self) -> None:
        box = Toolbox([FakeService("notes"), FakeService("messaging")])
        names = [tool.name for tool in box.tools]
        assert len(names) == 14
        assert (names[0], names[6], names[7], names[13]) == (
            "notes.read",
            "notes.undo",
            "messaging.read",
            "messaging.undo",
        )

    def test_a_tool_and_its_service_are_found_by_the_whole_name(self) -> None:
        notes, messaging = FakeService("notes"), FakeService("messaging")
        box = Toolbox([notes, messaging])
        found = box.tool("messaging.send")
        assert found is not None
        assert (found.name, found.effect) == ("messaging.send", Effect.SEND)
        assert box.service("messaging.send") is messaging
        assert box.service("notes.send") is notes
        assert box.tool("messaging") is box.tool("send") is box.tool("messaging.send.now") is None

    def test_a_name_may_have_more_than_one_dot(self) -> None:
        class Deep(FakeService):
            @property
            def tools(self) -> Sequence[Tool]:
                return (Tool("notes.read.all", "", Nothing, Effect.READ),)

        deep = Deep("notes")
        box = Toolbox([deep])
        assert [tool.name for tool in box.tools] == ["notes.read.all"]
        assert box.tool("notes.read.all") == deep.tools[0]
        assert box.service("notes.read.all") is deep

    def test_two_services_of_one_name_are_an_error_in_words(self) -> None:
        with pytest.raises(ValueError, match=r"^two services have the same name$"):
            Toolbox([FakeService("notes"), FakeService("notes")])

    @pytest.mark.parametrize(
        "names", [("other.read",), ("notes.read", "notes.read"), ("notes.read", "other.read")]
    )
    def test_a_tool_that_is_not_named_uniquely_after_its_service_is_an_error_in_words(
        self, names: Sequence[str]
    ) -> None:
        class Odd(FakeService):
            @property
            def tools(self) -> Sequence[Tool]:
                return tuple(Tool(name, "", Nothing, Effect.READ) for name in names)

        with pytest.raises(ValueError, match=r"^the tools of notes are not named uniquely after it$"):
            Toolbox([FakeService("messaging"), Odd("notes")])


class TestMaking:
    def test_a_call_has_a_long_id_of_its_own(self) -> None:
        ids = set()
        for _ in range(20):
            made = made_call(MAKE, {"name": "cup"})
            assert isinstance(made, Call)
            assert (made.tool, made.arguments) == ("craft.make", {"name": "cup"})
            prefix, _, rest = made.id.partition("-")
            assert (prefix, len(rest)) == ("call", 16)
            ids.add(made.id)
        assert len(ids) == 20

    def test_arguments_are_plain_json_and_those_that_say_nothing_are_left_out(self) -> None:
        said = {"name": " cup ", "colour": Colour.BLUE, "many": ("a", "b"), "count": 2}
        made = made_call(MAKE, said)
        assert isinstance(made, Call)
        assert made.arguments == {"name": "cup", "colour": "blue", "many": ["a", "b"], "count": 2}
        assert type(made.arguments["colour"]) is str

    @pytest.mark.parametrize(
        ("tool", "arguments", "sentence"),
        [
            (MAKE, {}, "craft.make needs “name”."),
            (MAKE, {"name": 5}, "“name” of craft.make should be text."),
            (
                MAKE,
                {"name": "a", "count": 1.5},
                "“count” of craft.make does not fit: Input should be a valid integer, got a number with a"
                " fractional part.",
            ),
            (MAKE, {"name": "a", "count": "x"}, "“count” of craft.make should be a whole number."),
            (MAKE, {"name": "a", "count": []}, "“count” of craft.make should be a whole number."),
            (MAKE, {"name": "a", "sure": "x"}, "“sure” of craft.make should be true or false."),
            (MAKE, {"name": "a", "sure": []}, "“sure” of craft.make should be true or false."),
            (MAKE, {"name": "a", "many": "x"}, "“many” of craft.make should be a list."),
            (MAKE, {"name": "a", "listed": "x"}, "“listed” of craft.make should be a list."),
            (MAKE, {"name": "a", "many": ["x", 5]}, "“many” of craft.make should be text."),
            (
                MAKE,
                {"name": "a", "colour": "x"},
                "“colour” of craft.make should be one of 'red' or 'blue'.",
            ),
            (MAKE, {"name": "a", "size": "x"}, "“size” of craft.make should be one of 'small' or 'large'."),
            (
                MAKE,
                {"name": "a", "share": 2},
                "“share” of craft.make does not fit: Input should be less than or equal to 1.",
            ),
            (REST, {"long": 1}, "craft.rest has no argument “long”; it takes no arguments."),
            (
                MAKE,
                {"count": "x", "nmae": "a"},
                "craft.make has no argument “nmae”; it takes name, count, sure, many, listed, colour, size,"
                " share, odd.",
            ),
            (MAKE, {"name": "a", "y" * 40: 1}, f"craft.make has no argument “{'y' * 40}”; it takes name"),
            (MAKE, {"name": "a", "y" * 41: 1}, f"craft.make has no argument “{'y' * 20} …[1 more]… yyy"),
            (
                MAKE,
                {"name": "a", "odd": "o" * 107},
                f"“odd” of craft.make does not fit: Value error, {'o' * 107}.",
            ),
            (
                MAKE,
                {"name": "a", "odd": "o" * 108},
                f"“odd” of craft.make does not fit: Value error, {'o' * 47} …[1 more]… ooo",
            ),
        ],
    )
    def test_what_does_not_fit_is_told_in_one_sentence(
        self, tool: Tool, arguments: Mapping[str, JsonValue], sentence: str
    ) -> None:
        made = made_call(tool, arguments)
        assert isinstance(made, Outcome)
        assert (made.ok, made.needs) == (False, Needs.INVALID)
        assert made.text.startswith(sentence)
        assert made.text.endswith(".")

    def test_a_tool_that_is_not_there_is_named_as_far_as_it_can_be_read(self) -> None:
        assert no_tool("a.b") == failed(Needs.INVALID, "There is no tool called “a.b”.")
        assert no_tool("x" * 60).text == f"There is no tool called “{'x' * 60}”."
        assert " …[1 more]… " in no_tool("x" * 61).text


class TestLooking:
    async def look(self, found: Any, seconds: float = 5) -> Prepared | Question | Outcome:
        class Looking(FakeService):
            async def prepare(self, call: Call, context: Context) -> Any:
                assert context is HERE
                self.seen = call
                if found is TimeoutError:
                    await asyncio.Event().wait()
                return found

        self.service = Looking("notes")
        return await Toolbox([self.service]).look(
            Call("c-1", "notes.read", {"thing": " a ", "text": None}), HERE, seconds
        )

    async def test_a_service_sees_the_call_with_what_was_said_only(self) -> None:
        question = Question("Which one?")
        assert await self.look(question) is question
        assert self.service.seen == Call("c-1", "notes.read", {"thing": "a"})

    async def test_an_outcome_of_the_service_is_passed_on(self) -> None:
        outcome = failed(Needs.CONFLICT, "It is gone.")
        assert await self.look(outcome) is outcome

    async def test_what_is_no_answer_is_an_error_of_the_service(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        text = "notes ran into an error of its own; the log has the details."
        assert await self.look("yes") == failed(Needs.UNAVAILABLE, text)
        assert "TypeError: not an answer to this call" in caplog.text

    async def test_a_service_that_takes_too_long_is_named_with_the_time(self) -> None:
        text = "notes did not answer within 0.01 seconds."
        assert await self.look(TimeoutError, 0.01) == failed(Needs.TIMEOUT, text)


class TestTakingBack:
    BOX = Toolbox([FakeService("notes")])

    def test_an_undo_that_fits_keeps_its_id_and_its_tool(self) -> None:
        undo = Call("u-1", "notes.undo", {"record": " r-1 "})
        assert self.BOX.undo(undo) == Call("u-1", "notes.undo", {"record": "r-1"})

    @pytest.mark.parametrize(
        "undo",
        [None, Call("u", "notes.redo", {"record": "r"}), Call("u", "notes.undo", {"to": ANA})],
    )
    def test_an_undo_that_no_tool_can_do_is_none(self, undo: Call | None) -> None:
        assert self.BOX.undo(undo) is None
