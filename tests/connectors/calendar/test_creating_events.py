"""A new event: shown as it will be, asked about where it is not clear, written so that others can read it."""

from typing import Any

import pytest

from connectors.base import Effect, Needs, Role


async def test_it_is_shown_with_weekday_date_zone_and_distance(world: Any) -> None:
    prepared = await world.ready(
        "create_event", title="Dentist", when="friday at 12:00", place="Main Street 1"
    )
    assert prepared.preview.title == "Add “Dentist” to the calendar"
    assert prepared.preview.deed == "adds an event"
    assert world.field(prepared, "Title").value == "Dentist"
    assert world.field(prepared, "When").value == "Fri 4 Dec 2026 12:00-13:00 Europe/Copenhagen"
    assert world.field(prepared, "When").note == "in 4 days"
    assert world.field(prepared, "Where").value == "Main Street 1"
    assert world.field(prepared, "Calendar").value == "Home"
    assert prepared.effects == {Effect.WRITE}
    assert prepared.undo == "It can be taken back."
    assert not world.folder.exists()


async def test_it_is_written_and_read_back(world: Any) -> None:
    outcome = await world.do("create_event", title="Dentist", when="friday at 12:00")
    assert outcome.text == "Added. It is on Fri 4 Dec 2026 12:00-13:00 Europe/Copenhagen."
    assert [(item.label, item.detail) for item in outcome.items] == [
        ("Dentist", "Fri 4 Dec 2026 12:00-13:00 (calendar Home)")
    ]
    assert (world.folder / "home" / "displayname").read_text() == "Home"
    assert await world.agenda("friday") == [("Dentist", "Fri 4 Dec 2026 12:00-13:00 (calendar Home)")]


@pytest.mark.parametrize(
    ("arguments", "argument", "text"),
    [
        ({"when": "friday at 12:00"}, "title", "What should it be called?"),
        ({"title": "Dentist"}, "when", "When is it?"),
        ({"title": "Dentist", "when": "blue"}, "when", "“blue” names no time I know."),
    ],
)
async def test_what_is_missing_is_asked_for(
    world: Any, arguments: dict[str, str], argument: str, text: str
) -> None:
    question = await world.asked("create_event", **arguments)
    assert question.text == text
    assert question.argument == argument


async def test_a_length_that_is_none_is_asked_for(world: Any) -> None:
    question = await world.asked("create_event", title="X", when="friday at 9", duration="a bit")
    assert question.argument == "duration"


@pytest.mark.parametrize(
    ("when", "duration", "shown"),
    [
        ("friday at 12:00", "90 minutes", "Fri 4 Dec 2026 12:00-13:30 Europe/Copenhagen"),
        ("2026-12-04 12:00 to 13:30", None, "Fri 4 Dec 2026 12:00-13:30 Europe/Copenhagen"),
        ("2026-12-04 23:30", None, "Fri 4 Dec 2026 23:30 to Sat 5 Dec 2026 00:30 Europe/Copenhagen"),
        ("friday", None, "Fri 4 Dec 2026, all day"),
        ("friday", "2 days", "Fri 4 Dec 2026 to Sat 5 Dec 2026, all day"),
        ("2026-12-07 to 2026-12-11", None, "Mon 7 Dec 2026 to Fri 11 Dec 2026, all day"),
        ("2027-03-28 01:30", "1 hour", "Sun 28 Mar 2027 01:30-03:30 Europe/Copenhagen"),
    ],
)
async def test_times_and_lengths_are_what_was_said(
    world: Any, when: str, duration: str | None, shown: str
) -> None:
    prepared = await world.ready("create_event", title="X", when=when, duration=duration)
    assert world.field(prepared, "When").value == shown
    assert (await world.connector.perform(prepared)).ok


async def test_a_time_somewhere_else_is_shown_and_kept_in_both_zones(world: Any) -> None:
    prepared = await world.ready("create_event", title="Call", when="friday 3pm London time")
    assert world.field(prepared, "When").value == (
        "Fri 4 Dec 2026 15:00-16:00 Europe/London (16:00-17:00 Europe/Copenhagen)"
    )
    outcome = await world.connector.perform(prepared)
    assert outcome.text == "Added. It is on Fri 4 Dec 2026 16:00-17:00 Europe/Copenhagen."
    (path,) = world.folder.rglob("*.ics")
    assert "DTSTART;TZID=Europe/London:20261204T150000" in path.read_text()


async def test_a_part_of_the_day_is_no_time_so_it_is_asked(world: Any) -> None:
    question = await world.asked("create_event", title="Dentist", when="tomorrow morning")
    assert question.argument == "when"
    answer = world.picked(question, "Tue 1 Dec 2026 09:00")
    prepared = await world.ready("create_event", title="Dentist", **answer)
    assert world.field(prepared, "When").value == "Tue 1 Dec 2026 09:00-10:00 Europe/Copenhagen"
    whole = world.picked(question, "The whole time")
    prepared = await world.ready("create_event", title="Dentist", **whole)
    assert world.field(prepared, "When").value == "Tue 1 Dec 2026 06:00-12:00 Europe/Copenhagen"


async def test_a_week_is_no_day_so_it_is_asked(world: Any) -> None:
    question = await world.asked("create_event", title="Holiday", when="next week")
    assert len(question.options) == 8
    whole = world.picked(question, "The whole time")
    prepared = await world.ready("create_event", title="Holiday", **whole)
    assert world.field(prepared, "When").value == "Mon 7 Dec 2026 to Sun 13 Dec 2026, all day"


async def test_hours_on_a_day_without_a_time_are_asked_about(world: Any) -> None:
    question = await world.asked("create_event", title="X", when="friday", duration="2 hours")
    assert question.text == "At what time on Fri 4 Dec 2026?"
    answer = world.picked(question, "09:00")
    prepared = await world.ready("create_event", title="X", duration="2 hours", **answer)
    assert world.field(prepared, "When").value == "Fri 4 Dec 2026 09:00-11:00 Europe/Copenhagen"


async def test_repetition_is_said_with_its_first_dates(world: Any) -> None:
    prepared = await world.ready("create_event", title="Yoga", when="every tuesday at 18:00")
    repeats = world.field(prepared, "Repeats")
    assert repeats.value == "every Tuesday"
    assert repeats.note == "on Tue 1 Dec 2026, Tue 8 Dec 2026, Tue 15 Dec 2026"
    outcome = await world.connector.perform(prepared)
    assert outcome.text.endswith("18:00-19:00 Europe/Copenhagen, and repeats every Tuesday.")
    assert len(await world.agenda("december")) == 5


async def test_a_series_until_a_day_is_written_with_an_end_in_utc(world: Any) -> None:
    await world.do("create_event", title="Yoga", when="every tuesday at 18:00 until 2026-12-15")
    (path,) = world.folder.rglob("*.ics")
    assert "UNTIL=20261215T225959Z" in path.read_text()
    assert len(await world.agenda("2026-12-01 to 2027-01-31")) == 3


async def test_what_is_at_the_same_time_is_shown(world: Any) -> None:
    world.event("SUMMARY:Review\nDTSTART:20261204T143000Z\nDTEND:20261204T153000Z", name="a")
    world.event("SUMMARY:Bin day\nDTSTART;VALUE=DATE:20261204", name="b")
    world.event(
        "SUMMARY:Lunch\nDTSTART:20261204T110000Z\nDTEND:20261204T120000Z\nTRANSP:TRANSPARENT", name="c"
    )
    prepared = await world.ready("create_event", title="Dentist", when="friday at 16:00")
    clash = world.field(prepared, "Clash")
    assert clash.value == "Review, Fri 4 Dec 2026 15:30-16:30 (calendar home)"
    prepared = await world.ready("create_event", title="Dentist", when="friday at 16:30")
    assert "Clash" not in [each.label for each in prepared.preview.fields]


async def test_a_series_is_checked_at_its_coming_dates_too(world: Any) -> None:
    world.event("SUMMARY:Concert\nDTSTART:20261215T180000Z\nDTEND:20261215T200000Z")
    prepared = await world.ready("create_event", title="Yoga", when="every tuesday at 19:00")
    assert world.field(prepared, "Clash").value.startswith("Concert, Tue 15 Dec 2026")


async def test_many_at_the_same_time_are_counted(world: Any) -> None:
    for number in range(7):
        world.event(f"SUMMARY:E{number}\nDTSTART:20261204T143000Z\nDTEND:20261204T153000Z", name=f"e{number}")
    prepared = await world.ready("create_event", title="Dentist", when="friday at 16:00")
    clashes = [each.value for each in prepared.preview.fields if each.label == "Clash"]
    assert len(clashes) == 6
    assert clashes[-1] == "and 2 more"


async def test_something_in_the_past_is_pointed_out(world: Any) -> None:
    prepared = await world.ready("create_event", title="X", when="2026-11-28 12:00")
    assert prepared.preview.warnings == ("This is in the past: 2 days ago.",)


class TestChoosingACalendar:
    @pytest.fixture
    def two(self, world: Any) -> Any:
        for name, shown in (("a1", "Private"), ("b2", "Work")):
            (world.folder / name).mkdir(parents=True)
            (world.folder / name / "displayname").write_text(shown)
        return world

    async def test_the_one_said_is_taken(self, two: Any) -> None:
        prepared = await two.ready(
            "create_event", title="X", when="friday at 9:00", calendar="my work calendar"
        )
        assert two.field(prepared, "Calendar").value == "Work"
        assert [thing.value for thing in prepared.resolved if thing.role is Role.TARGET] == ["b2"]

    async def test_with_none_said_it_is_asked(self, two: Any) -> None:
        question = await two.asked("create_event", title="X", when="friday at 9:00")
        assert [(option.label, option.arguments) for option in question.options] == [
            ("Private", {"calendar": "a1"}),
            ("Work", {"calendar": "b2"}),
        ]

    async def test_the_default_is_taken_unasked(self, two: Any) -> None:
        two.restart(default="Work")
        prepared = await two.ready("create_event", title="X", when="friday at 9:00")
        assert two.field(prepared, "Calendar").value == "Work"

    async def test_one_that_is_not_there_is_asked_about(self, two: Any) -> None:
        question = await two.asked("create_event", title="X", when="friday at 9:00", calendar="school")
        assert question.text == "No calendar is called “school”. Which one?"

    async def test_a_read_only_one_is_refused(self, two: Any) -> None:
        two.restart(read_only=("work",))
        outcome = await two.refused("create_event", title="X", when="friday at 9:00", calendar="work")
        assert outcome.needs is Needs.READ_ONLY
        prepared = await two.ready("create_event", title="X", when="friday at 9:00")
        assert two.field(prepared, "Calendar").value == "Private"

    async def test_with_all_read_only_nothing_is_added(self, two: Any) -> None:
        two.restart(read_only=("a1", "b2"))
        outcome = await two.refused("create_event", title="X", when="friday at 9:00")
        assert outcome.needs is Needs.READ_ONLY


async def test_arguments_that_do_not_fit_are_named(world: Any) -> None:
    outcome = await world.refused("create_event", title="X", colour="red")
    assert outcome.needs is Needs.INVALID
    assert "“colour”" in outcome.text
    assert (await world.refused("paint")).needs is Needs.UNSUPPORTED
