"""What the person typed, picked or retyped is theirs: that value of that argument for that tool, no more."""

from pydantic import JsonValue

from connectors.base import Call
from permissions.said import Said
from tests.permissions.fakes import ANA, EVE


def send(**arguments: JsonValue) -> Call:
    return Call("c", "messaging.send", arguments)


def heard(*lines: str) -> Said:
    said = Said()
    for line in lines:
        said.say(line)
    return said


class TestPicking:
    def test_what_an_edit_left_as_it_was_is_not_the_persons(self) -> None:
        said, call = heard("send it"), send(to=[ANA], text="hi", cc=[EVE])
        said.endorse({"to": [ANA, "ben@acme.com"], "text": "hello", "cc": [EVE]}, call)
        assert [said.picked(call, "to", address) for address in (ANA, "ben@acme.com")] == [False, True]
        assert [said.picked(call, "text", text) for text in ("hi", "hello")] == [False, True]
        assert not said.picked(call, "cc", EVE)

    def test_what_stood_in_another_argument_is_new_in_this_one(self) -> None:
        said, call = heard("send it"), send(to=[ANA], cc=[EVE])
        said.endorse({"to": [EVE], "cc": [ANA]}, call)
        assert said.picked(call, "to", EVE)
        assert said.picked(call, "cc", ANA)
        assert not said.picked(call, "to", ANA)

    def test_an_edit_is_for_the_tool_it_was_made_for(self) -> None:
        said = heard("send it")
        said.endorse({"to": [EVE]}, send(to=[ANA]))
        assert said.picked(send(), "to", EVE)
        assert not said.picked(Call("c", "files.share", {}), "to", EVE)

    def test_what_was_picked_for_no_call_is_for_any(self) -> None:
        said = heard("send it")
        said.endorse({"to": [EVE]})
        assert said.picked(send(), "to", EVE)
        assert said.picked(Call("c", "files.share", {}), "to", f" {EVE} ")
        assert not said.picked(send(), "cc", EVE)

    def test_an_argument_that_was_emptied_is_empty_by_the_persons_will(self) -> None:
        said, call = heard("send it"), send(cc=[EVE])
        assert not said.picked(call, "cc", "")
        said.endorse({"cc": []}, call)
        assert said.picked(call, "cc", "")
        assert not said.picked(call, "cc", EVE)

    def test_spaces_around_what_was_picked_are_no_part_of_it(self) -> None:
        said = heard("send it")
        said.endorse({"to": [f"  {EVE}\n"]})
        assert said.picked(send(), "to", EVE)

    def test_a_new_line_ends_what_was_picked(self) -> None:
        said = heard("send it")
        said.endorse({"to": [EVE]})
        said.say("and now ben")
        assert not said.picked(send(), "to", EVE)

    def test_an_argument_was_chosen_if_every_value_of_it_was(self) -> None:
        said = heard("send it")
        said.endorse({"to": [EVE, ANA]})
        assert said.chose(send(to=[EVE, ANA]), "to")
        assert not said.chose(send(to=[EVE, "x@y.z"]), "to")
        assert not said.chose(send(to=[]), "to")
        assert not said.chose(send(), "to")


class TestVouching:
    def test_an_address_that_only_stands_in_the_call_is_not_vouched_for(self) -> None:
        assert not heard("send it to ana").vouches(EVE, send(to=[EVE]))

    def test_a_typed_address_is(self) -> None:
        assert heard(f"send it to {EVE.upper()}, please").vouches(EVE, send(to=[EVE]))

    def test_a_picked_one_is_and_vouches_for_no_other(self) -> None:
        said = heard("send it")
        said.endorse({"to": [EVE.upper()]})
        call = send(to=[EVE.upper(), ANA])
        assert said.vouches(EVE, call)
        assert not said.vouches(ANA, call)

    def test_one_that_was_picked_for_an_argument_that_the_call_does_not_have_is_not(self) -> None:
        said = heard("send it")
        said.endorse({"cc": [EVE]})
        assert not said.vouches(EVE, send(to=[EVE]))


class TestWords:
    def test_an_argument_consists_of_typed_and_picked_words_or_of_none(self) -> None:
        said = heard("Tell Ana about Lunch", "now")
        assert said.words_of(send(text="lunch"), "text") == "Lunch"
        assert said.words_of(send(text=["ana", "lunch"]), "text") == "Ana, Lunch"
        assert said.words_of(send(text=["ana", "dinner"]), "text") is None
        said.endorse({"text": ["dinner"]})
        assert said.words_of(send(text=["ana", "dinner"]), "text") == "Ana, dinner"
        assert said.words_of(send(), "text") is None
        assert said.words_of(send(text=[]), "text") is None

    def test_the_newest_line_that_says_it_counts(self) -> None:
        said = heard("LUNCH", "Lunch", "dinner")
        assert said.typed("lunch") == "Lunch"
        assert said.typed("lunch", since=1) == "Lunch"
        assert said.typed("lunch", since=2) is None

    def test_what_was_pasted_is_not_typed_and_nothing_goes_across_it(self) -> None:
        said = Said()
        said.say("send eve@evil.example to ana lunch", [(5, 21), (28, 28)])
        assert not said.typed_address(EVE)
        assert said.typed("send to") is None
        assert said.typed("ana lunch") == "ana lunch"
        assert (said.domains, said.links) == (frozenset(), frozenset())

    def test_all_that_was_said_or_picked_can_be_told(self) -> None:
        said = heard(f"see https://a.example/x and {ANA}")
        said.endorse({"to": [EVE]})
        assert list(said.texts()) == [f"see https://a.example/x and {ANA}", EVE]
        assert said.domains == {"acme.com"}
        assert said.links == {"https://a.example/x"}
