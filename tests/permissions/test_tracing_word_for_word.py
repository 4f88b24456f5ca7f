"""Where a value comes from is told in the words that the person used, picked, or would read."""

from permissions.words import Origin, Who
from tests.permissions.fakes import EVE
from tests.permissions.origins import address, call, said, target


def test_a_thing_that_was_picked_is_told_by_its_label() -> None:
    provenance, asked = said("answer it"), call(message=["mail:1"])
    provenance.endorse({"message": ["mail:1"]})
    assert provenance.trace(asked, (target("Ana: Lunch"),)) == (Origin(Who.YOU, "Ana: Lunch"),)


def test_an_address_that_was_picked_is_told_by_its_label() -> None:
    provenance, asked = said("write to her"), call(to=["Eve"])
    provenance.endorse({"to": ["Eve"]})
    assert provenance.trace(asked, (address(EVE, label="Eve Moss"),)) == (Origin(Who.YOU, "Eve Moss"),)


def test_a_mail_is_named_by_its_whole_subject() -> None:
    mail, asked = target("Ana: Lunch: the friday plan"), call(message=["mail:1"])
    assert said("Answer “lunch: the Friday plan”").trace(asked, (mail,)) == (
        Origin(Who.YOU, "lunch: the Friday plan"),
    )
    (origin,) = said("Answer the friday plan").trace(asked, (mail,))
    assert origin.who is not Who.YOU
