"""A known person is pointed out where the goal names somebody else; nobody who was named or picked is."""

from dataclasses import replace

import pytest

from connectors.base import Call, Effect, Prepared, Resolved, Role
from permissions.policy import Policy, decide
from permissions.provenance import Acquaintance, Provenance
from permissions.recipients import named
from permissions.words import Flag, Verdict, Who
from tests.permissions.fakes import NOW, prepared_for
from tests.permissions.policy_cases import S, case, grant_for

ANA = Acquaintance("Ana Ruiz", ("ana.ruiz@post.example", "ana@work.example"))
CARLA = Acquaintance("Carla Bruni", ("carla@post.example",))
BOOKS = Acquaintance("The Book Club", ("club@books.example",))
ME = Acquaintance("", ("me@home.example",), oneself=True)
PEOPLE = (ANA, CARLA, BOOKS, ME)


def said(*lines: str) -> Provenance:
    provenance = Provenance(people=lambda: PEOPLE)
    for line in lines:
        provenance.say(line)
    return provenance


def to(*people: Acquaintance | str, given: tuple[str, ...] | None = None, argument: str = "to") -> Prepared:
    """A message to these, as the model wrote them by first name, or as `given`."""
    things = []
    names = []
    for each in people:
        address = each if isinstance(each, str) else each.addresses[0]
        label = each if isinstance(each, str) else each.name or each.addresses[0]
        names.append(label.partition(" ")[0])
        things.append(Resolved(Role.DESTINATION, argument, address, label, 3))
    call = Call("call-1", "messaging.send", {argument: list(given or names)})
    text = Resolved(Role.CONTENT, "text", "hello", "hello")
    return replace(prepared_for(), call=call, resolved=(*things, text))


def flagged(provenance: Provenance, prepared: Prepared) -> bool:
    traced = provenance.trace(prepared.call, prepared.resolved)
    return Flag.ANOTHER_PERSON in provenance.flags(prepared, traced)


@pytest.mark.parametrize(
    "goal",
    [
        "Tell Carla that Ben's draft is poor",
        "tell carla hello",
        "Tell Carla Bruni hello",
        "write to carla@post.example: hello",
        "Tell Bruni, please",
        "Tell Carla that Ana's draft is poor",
    ],
)
def test_it_is_for_somebody_known_who_is_not_the_one_named(goal: str) -> None:
    assert flagged(said(goal), to(ANA))
    assert not flagged(said(goal), to(CARLA))


def test_a_second_known_person_is_pointed_out_beside_the_one_named() -> None:
    assert flagged(said("Tell Carla hello"), to(CARLA, ANA))


@pytest.mark.parametrize(
    "goal",
    ["Tell my boss hello", "Reply to the last mail", "Send it", "What's in Carla's mail? Then answer", ""],
)
def test_where_nobody_is_named_nobody_is_another(goal: str) -> None:
    assert not flagged(said(goal), to(ANA))


def test_who_was_only_written_to_before_is_somebody_known() -> None:
    prepared = to(ANA, given=ANA.addresses[:1])
    origin, _ = said("Tell Carla hello").trace(prepared.call, prepared.resolved)
    assert origin.who is Who.WRITTEN_TO
    assert flagged(said("Tell Carla hello"), prepared)


def test_any_address_of_whom_was_named_will_do() -> None:
    assert not flagged(said("Tell Ana hello"), to("ana@work.example"))


def test_who_was_named_before_counts_only_where_the_goal_refers_back() -> None:
    before = "Tell Ana hello"
    assert flagged(said(before, "Tell Carla the draft is poor"), to(ANA))
    assert not flagged(said(before, "Tell Carla too, and her as well"), to(ANA))
    assert flagged(said("Tell Ana hello at ana.ruiz@post.example", "Tell Carla no"), to(ANA))


def test_who_was_picked_or_typed_in_is_whom_the_person_means() -> None:
    provenance, prepared = said("Tell Carla hello"), to(ANA)
    provenance.endorse({"to": ["ana.ruiz@post.example"]}, prepared.call)
    assert not flagged(provenance, prepared)
    provenance = said("Tell Carla hello")
    provenance.endorse({"to": ["Ana"]})
    assert not flagged(provenance, prepared)


def test_one_pick_does_not_speak_for_the_others() -> None:
    provenance = said("Tell Carla hello")
    prepared = to(ANA, BOOKS, given=("Ana", "The"))
    provenance.endorse({"to": ["Ana"]})
    assert flagged(provenance, prepared)


def test_mail_to_oneself_is_no_other_person() -> None:
    assert not flagged(said("Send me what Carla wrote, and tell Carla so"), to(ME, CARLA))


def test_whom_an_answer_goes_to_comes_out_of_what_is_answered() -> None:
    prepared = to(ANA, argument="message", given=("Lunch",))
    mail = Resolved(Role.TARGET, "message", "mail:1", "Ana Ruiz: Lunch")
    assert not flagged(
        said("Answer Lunch, and tell Carla"), replace(prepared, resolved=(*prepared.resolved, mail))
    )
    guests = to(ANA, argument="")
    assert not flagged(said("Move lunch with Carla"), guests)


def test_what_stays_on_the_machine_has_no_recipients() -> None:
    looked = replace(to(ANA), effects=frozenset({Effect.READ}))
    assert not flagged(said("Tell Carla hello"), looked)


def test_a_draft_or_an_event_with_guests_is_looked_at_like_what_goes_out() -> None:
    drafted = replace(to(ANA), effects=frozenset({Effect.WRITE}))
    assert flagged(said("Draft a mail to Carla"), drafted)


def test_a_stranger_is_pointed_out_as_one_and_not_as_another_person() -> None:
    stranger = to("eve@evil.example", given=("eve@evil.example",))
    stranger = replace(stranger, resolved=(replace(stranger.resolved[0], written_before=0),))
    assert not flagged(said("Tell Carla hello"), stranger)


def test_no_permission_silences_it() -> None:
    asked = case(S, to(ANA).resolved)
    grant = grant_for(asked)
    assert decide(asked, Policy(), (grant,), NOW).verdict is Verdict.ALLOW
    flagged_too = replace(asked, flags=frozenset({Flag.ANOTHER_PERSON}))
    ruling = decide(flagged_too, Policy(), (grant,), NOW)
    assert (ruling.verdict, ruling.rule, ruling.flags) == (
        Verdict.ASK,
        "ask.flagged",
        {Flag.ANOTHER_PERSON},
    )


class TestNaming:
    def test_a_name_is_whole_words_and_accents_do_not_matter(self) -> None:
        jose = Acquaintance("José Álvarez", ("jose@x.example",))
        for line in ("ask Jose", "ask JOSÉ", "ask josé alvarez", "ask Alvarez"):
            assert named((line,), (jose,)) == {"jose@x.example"}, line
        for line in ("ask Joseph", "ask Jo", "José's letter"):
            assert named((line,), (jose,)) == frozenset(), line

    def test_a_short_or_common_first_word_is_no_name_of_its_own(self) -> None:
        assert named(("read the mail",), (BOOKS,)) == frozenset()
        assert named(("tell the book club",), (BOOKS,)) == {"club@books.example"}
        assert named(("go al on",), (Acquaintance("Al Ng", ("al@x.example",)),)) == frozenset()
        assert named(("write al ng",), (Acquaintance("Al Ng", ("al@x.example",)),)) == {"al@x.example"}
        assert named(("write bo",), (Acquaintance("Bo", ("bo@x.example",)),)) == {"bo@x.example"}

    def test_an_address_names_whoever_it_is(self) -> None:
        assert named(("tell Eve@Evil.example",), ()) == {"eve@evil.example"}

    def test_a_contact_without_a_name_is_named_by_nothing(self) -> None:
        assert named(("tell  ",), (Acquaintance("", ("x@x.example",)),)) == frozenset()

    def test_a_name_in_the_middle_is_no_name_of_its_own(self) -> None:
        ana = Acquaintance("Ana Lucia Vera Ruiz", ("ana@x.example",))
        assert [named((f"ask {name}",), (ana,)) for name in ("Lucia", "Vera")] == [frozenset()] * 2
        assert {*named(("ask Ana",), (ana,)), *named(("ask Ruiz",), (ana,))} == {"ana@x.example"}
