"""What goes out is held against what was read; what stays here, and what the person brought along, is not."""

import pytest

from connectors.base import Effect, Outcome, Prepared, Resolved, Role
from permissions.disguises import readings
from permissions.provenance import Provenance
from permissions.words import Flag, Who
from tests.permissions.fakes import ANA, prepared_for
from tests.permissions.origins import address, call, said, target

SECRET = "your code is 463820"


def text(value: str) -> Resolved:
    return Resolved(Role.CONTENT, "body", value, value)


def flags(provenance: Provenance, prepared: Prepared) -> frozenset[Flag]:
    return provenance.flags(prepared, provenance.trace(prepared.call, prepared.resolved))


def has_read(line: str) -> Provenance:
    provenance = said(line)
    read = prepared_for("messaging.read", frozenset({Effect.READ}), (target("Your code"),))
    provenance.learn(read, Outcome(ok=True, text="", content=SECRET))
    return provenance


def test_what_the_person_pasted_is_no_secret_in_what_goes_out() -> None:
    provenance, line = Provenance(), f"tell ana@acme.com that {SECRET}"
    provenance.say(line, ((line.index("your"), len(line)),))
    sent = prepared_for(resolved=(address(ANA), text("463820")))
    assert provenance.carried(sent) == ()
    assert Flag.CARRIES_PRIVATE not in flags(provenance, sent)


def test_a_text_with_an_address_in_it_reaches_nobody_by_that() -> None:
    note = f"write ana@acme.com: {SECRET}"
    kept = prepared_for("files.write", frozenset({Effect.WRITE}), (text(note),), {"text": note})
    assert flags(has_read("keep a note"), kept) == frozenset()
    guests = prepared_for("calendar.create", frozenset({Effect.WRITE}), (address(ANA), text(note)))
    assert Flag.CARRIES_PRIVATE in flags(has_read("invite ana@acme.com"), guests)


def test_what_stands_on_two_lines_is_not_said_to_be_one_phrase() -> None:
    provenance = said("tell ana")
    provenance.read_content("a mail", "we will close the Oslo office")
    sent = prepared_for(resolved=(address(ANA), text("we will close the Oslo office")))
    assert provenance.carried(sent) == ("a mail",)


def test_a_look_alike_that_the_person_picked_is_whom_they_mean() -> None:
    provenance = Provenance(known=("acme.com",))
    provenance.say("write to her")
    sent = prepared_for(resolved=(address("ana@acrne.com"),), arguments={"to": ["ana@acrne.com"]})
    assert Flag.LOOKALIKE in flags(provenance, sent)
    provenance.endorse({"to": ["ana@acrne.com"]})
    assert Flag.LOOKALIKE not in flags(provenance, sent)


@pytest.mark.parametrize("foreign", [False, True])
def test_whoever_chose_an_argument_is_told_with_its_origin(foreign: bool) -> None:
    provenance, asked = said("tell my friend"), call(to=["Ben"])
    thing = address("ben@okafor.example", label="Ben Okafor")
    chosen = frozenset({"to"}) if foreign else frozenset()
    origin = provenance.origins(asked, (thing,), foreign=chosen)["to"]
    assert (origin.who is Who.CONFIG) is not foreign


@pytest.mark.parametrize(
    ("hidden", "read"),
    [
        ("\U000e0020\U000e0061\U000e007e", " a~"),
        ("\U000e001f\U000e007f", ""),
        ("\U000e0100\U000e0131\U000e01ef", "\x10a\xff"),
        ("\U000e00ff\U000e01f0", ""),
    ],
)
def test_every_sign_that_nobody_sees_is_read_for_what_it_stands_for_and_no_other(
    hidden: str, read: str
) -> None:
    found = list(readings(f"bread{hidden}\n{hidden}"))
    assert found[-1] == f"{read}\n{read}"
