"""A request as lines: everything that will run is there, in full, with where it came from."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectors.base import Effect, Field, Preview, Resolved, Role
from connectors.clean import shorten
from permissions.words import Asker, Flag, Origin, Request, Ruling, Verdict, Who
from tests.tui.fake_house import change_event, send_message
from tui.prompt import words
from tui.prompt.asides import exact, why
from tui.prompt.lines import draw
from tui.text import literal

WIDTHS = st.integers(min_value=40, max_value=160)


def shown(request: Request, width: int = 76) -> str:
    drawn = draw(request, width)
    return "\n".join(line.plain for line in (*drawn.decision, *drawn.quoted, *drawn.terms))


def with_preview(request: Request, **changes: object) -> Request:
    preview = replace(request.prepared.preview, **changes)
    return replace(request, prepared=replace(request.prepared, preview=preview))


def squeezed(text: str) -> str:
    """Text without the white space that wrapping moves about."""
    return "".join(text.split())


def test_each_value_has_its_origin_at_the_right() -> None:
    lines = shown(change_event()).split("\n")
    assert any(
        line.startswith("Change") and line.endswith("from you: “my dentist appointment”") for line in lines
    )
    assert any("in 4 days" in line and line.endswith("from you: “Friday at 4”") for line in lines)
    assert any(line.startswith("Calendar") and line.endswith("chosen by Askfirst") for line in lines)


def test_a_change_shows_before_and_after() -> None:
    assert "Thu 3 Dec 15:00  →  Fri 4 Dec 2026 16:00 Europe/Copenhagen" in shown(change_event())


def test_a_change_from_nothing_says_so() -> None:
    request = with_preview(change_event(), fields=(Field("Place", "Clinic", "place", before=""),))
    assert "(nothing)  →  Clinic" in shown(request)


@pytest.mark.parametrize(
    ("origin", "text"),
    [
        (Origin(Who.YOU), "from you"),
        (Origin(Who.YOU, "Friday"), "from you: “Friday”"),
        (Origin(Who.CONFIG), "from your settings"),
        (Origin(Who.WRITTEN_TO), "somebody you have written to"),
        (Origin(Who.CONTENT, "mail “Networking”"), "▲ first seen in mail “Networking”"),
        (Origin(Who.MODEL), "▲ from the model"),
        (None, "▲ origin not known"),
    ],
)
def test_every_origin_is_said_in_words(origin: Origin | None, text: str) -> None:
    origins = {} if origin is None else {"event": origin}
    request = with_preview(change_event(origins=origins), fields=(Field("Change", "Dentist", "event"),))
    assert text in shown(request)


def test_each_address_has_a_line_of_its_own_and_says_how_often_it_was_written_to() -> None:
    lines = shown(send_message("Hi")).split("\n")
    ana = lines.index("To       Ana Ruiz <ana@acme.com>")
    assert "written to before: 12" in lines[ana + 1]
    mark = lines.index("To       mark.black@gmail.com")
    assert "NEW address: never written to" in lines[mark + 1]


def test_each_address_has_its_own_origin_where_it_is_known() -> None:
    traced = (Origin(Who.YOU, "Ana"), Origin(Who.CONTENT, "mail “Networking event”"))
    lines = shown(send_message("Hi", traced=traced)).split("\n")
    ana = lines.index("To       Ana Ruiz <ana@acme.com>")
    assert lines[ana + 1].endswith("from you: “Ana”")
    assert any("first seen in mail “Networking event”" in line for line in lines[ana + 2 :])


def test_a_destination_that_the_preview_names_is_shown_once() -> None:
    assert shown(send_message("Hi")).count("ana@acme.com") == 1


@pytest.mark.parametrize(
    "fields",
    [
        (),
        (Field("To", "Ana Ruiz", "to"),),
        (Field("Subject", "write ana@acme.com and mark.black@gmail.com", "subject"),),
    ],
    ids=["no field", "the name without the address", "another argument"],
)
def test_a_destination_that_no_field_names_in_full_is_shown_all_the_same(fields: tuple[Field, ...]) -> None:
    lines = shown(with_preview(send_message("Hi"), fields=fields)).split("\n")
    ana = next(
        n for n, line in enumerate(lines) if line.startswith("To") and "Ana Ruiz <ana@acme.com>" in line
    )
    assert "written to before: 12" in lines[ana + 1]
    mark = next(n for n, line in enumerate(lines) if line.startswith("To") and "mark.black@gmail.com" in line)
    assert "NEW: never written to before" in lines[mark + 1]


def test_how_often_an_address_was_written_to_is_added_where_the_preview_does_not_say_it() -> None:
    request = with_preview(send_message("Hi"), fields=(Field("To", "Ana Ruiz <ana@acme.com>", "to"),))
    assert "written to before: 12" in shown(request)


def test_what_only_informs_has_no_origin_and_what_was_not_asked_for_was_chosen() -> None:
    fields = (
        Field("Clash", "Project review"),
        Field("Calendar", "Home", "calendar"),
        Field("Account", "me@home.org"),
    )
    request = with_preview(change_event(), fields=fields, warnings=())
    chosen = Resolved(Role.BOUND, "", "me@home.org", "me@home.org")
    request = replace(request, prepared=replace(request.prepared, resolved=(chosen,)))
    lines = shown(request).split("\n")
    assert "Clash     Project review" in lines
    assert [line.split()[0] for line in lines if line.endswith("chosen by Askfirst")] == [
        "Calendar",
        "Account",
    ]


def test_the_text_says_where_it_came_from() -> None:
    assert draw(send_message("Hi Ana"), 76).quoted[0].plain.endswith("▲ from the model")


def test_every_line_of_the_text_stands_behind_the_gutter() -> None:
    body = "first\n\n" + "a long line that has to be wrapped " * 8 + "\n┌ SENDS OUT ┐\nlast"
    drawn = draw(send_message(body), 76)
    assert drawn.quoted[0].plain.startswith("Text,")
    assert all(line.plain.startswith("┃ ") for line in drawn.quoted[1:])
    assert drawn.quoted[-1].plain == "┃ last"


def test_a_diff_is_shown_whole() -> None:
    diff = "@@ -1,2 +1,2 @@\n-old line\n+new line\n same"
    lines = [line.plain for line in draw(with_preview(change_event(), diff=diff), 76).quoted]
    assert lines == ["Changes:", "┃ @@ -1,2 +1,2 @@", "┃ -old line", "┃ +new line", "┃  same"]


def test_clashes_and_flags_are_said_in_words() -> None:
    ruling = Ruling(Verdict.ASK, "rule", "reason", frozenset(Flag))
    text = squeezed(shown(change_event(ruling=ruling, asker=Asker.ADDED)))
    assert squeezed("▲ Clash: Fri 4 Dec 15:30-16:30 Project review") in text
    for flag in Flag:
        assert squeezed(words.FLAGS[flag]) in text
    assert squeezed(words.ASKERS[Asker.ADDED]) in text


def test_what_askfirst_proposes_itself_says_so_without_alarm() -> None:
    request = change_event(asker=Asker.REPAIR, origins={"when": Origin(Who.CONFIG), "event": Origin(Who.YOU)})
    lines = shown(request).split("\n")
    assert f"• {words.ASKERS[Asker.REPAIR]}" in lines
    assert any("in 4 days" in line and line.endswith("chosen by Askfirst") for line in lines)


def test_the_promise_of_undo_the_reason_and_what_a_permission_covers_are_there() -> None:
    text = shown(change_event())
    assert "Undo    the event can be moved back until it is changed again" in text
    assert "Why     no permission covers calendar.change_event yet" in text
    assert "g this goal     change the event Dentist" in text
    assert "s this session  change events of the calendar Home" in text


def test_the_frame_of_a_read_says_that_it_changes_nothing() -> None:
    request = change_event()
    reads = replace(request, prepared=replace(request.prepared, effects=frozenset({Effect.READ}), undo=None))
    assert words.frame(reads)[-1] == "changes nothing"


def test_the_frame_says_when_a_deed_cannot_be_undone() -> None:
    request = change_event()
    assert (
        words.frame(replace(request, prepared=replace(request.prepared, undo=None)))[-1] == "cannot be undone"
    )


def test_sharing_is_named_apart_from_sending() -> None:
    request = send_message("Hi")
    shares = replace(request, prepared=replace(request.prepared, effects=frozenset({Effect.SHARE})))
    assert words.frame(shares)[0] == "SHARES"
    assert words.wrong_case(shares) == "shares: press capital Y"


@given(text=st.text(max_size=300), width=WIDTHS)
@settings(max_examples=60, deadline=None)
def test_no_line_is_wider_than_the_room_whatever_the_values_are(text: str, width: int) -> None:
    preview = Preview(
        text, text, (Field(text, text, "x", text, text),), body=text, diff=text, warnings=(text,)
    )
    resolved = (Resolved(Role.DESTINATION, "x", text, text, 0),)
    request = change_event(origins={"x": Origin(Who.CONTENT, text)})
    request = replace(
        request, prepared=replace(request.prepared, preview=preview, resolved=resolved, undo=text)
    )
    drawn = draw(request, width)
    every = [*drawn.decision, *drawn.quoted, *drawn.terms, *why(request, width), *exact(request, width)]
    assert max(line.cell_length for line in every) <= width
    assert all("\n" not in line.plain for line in every)


@given(value=st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=300), width=WIDTHS)
@settings(max_examples=60, deadline=None)
def test_nothing_of_a_value_an_address_or_a_text_is_cut(value: str, width: int) -> None:
    preview = Preview("Send", "sends", (Field("Subject", value, "subject"),), body=value)
    resolved = (Resolved(Role.DESTINATION, "to", value, value, 3),)
    request = send_message("Hi")
    request = replace(request, prepared=replace(request.prepared, preview=preview, resolved=resolved))
    drawn = draw(request, width)
    text = squeezed("".join(line.plain for line in drawn.decision))
    for beside in ("▲ first seen in mail “Networking event”", "written to before: 3", "To", "Subject"):
        text = text.replace(squeezed(beside), "", 1)
    assert text.count(squeezed(visible(value))) >= 2
    body = "".join(line.plain.removeprefix("┃ ") for line in drawn.quoted[1:])
    assert squeezed(visible(value)) in squeezed(body)


def visible(value: str) -> str:
    return literal(value).plain


def test_it_is_said_before_the_yes_until_when_a_message_can_be_taken_back() -> None:
    held = send_message("Hi", hold=30)
    assert words.frame(held)[-1] == "cannot be undone 30 s after yes"
    assert "it waits 30 s after your yes, and can be taken back until then" in shown(held)
    assert words.frame(send_message("Hi"))[-1] == "cannot be undone"
    assert "this cannot be taken back" in shown(send_message("Hi"))


def test_what_a_preview_shows_in_part_only_stands_there_in_full_behind_the_gutter() -> None:
    title = "lunch " * 30 + "and pay EVE"
    shortened = shorten(title, 60)
    base = with_preview(change_event(), fields=(Field("Title", shortened, "title"),))
    things = (*base.prepared.resolved, Resolved(Role.CONTENT, "title", title, shortened))
    request = replace(base, prepared=replace(base.prepared, resolved=things))
    quoted = [line.plain for line in draw(request, 76).quoted]
    assert quoted[0].startswith(f"Title, {len(title)} characters, all of it:")
    assert squeezed("".join(line[2:] for line in quoted[1:])) == squeezed(title)


def test_what_a_preview_shows_in_full_is_not_shown_twice() -> None:
    base = with_preview(change_event(), fields=(Field("Title", "lunch", "title"),))
    things = (*base.prepared.resolved, Resolved(Role.CONTENT, "title", "lunch", "lunch"))
    assert draw(replace(base, prepared=replace(base.prepared, resolved=things)), 76).quoted == ()
