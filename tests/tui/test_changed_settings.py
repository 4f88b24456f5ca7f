"""Settings that change while Askfirst runs: denied at once, taken over between goals, never lost."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import pytest

from assistant.model.base import Wish
from connectors.base import Call, Context, Notice, Outcome, Prepared, Tool
from connectors.files.config import Config as FilesConfig
from connectors.folder_watch import FolderWatch
from connectors.mode import EVERYTHING
from permissions.words import Decision, Request
from tests.invariants.world import NOW, ZONE, Agreeing, World
from tests.waiting import until
from tui.reloading import Reloading
from tui.running import Built, Recipe, Running, by_mode

LUNCH = Wish("calendar.create_event", {"title": "Lunch", "when": "tomorrow at noon"})
LOOK = Wish("calendar.list_events", {"when": "tomorrow"})


class Home:
    """The demo world, whose settings are files that may change."""

    def __init__(self, folder: Path) -> None:
        self.world = World(folder)
        self.told: list[str] = []
        self.held = False
        self.offered: list[set[str]] = []
        self.reloading = Reloading(self.world.services, lambda: self.held, self.told.append, self.read_ahead)
        self.connectors = self.world.places.config / "connectors"

    def write(self, name: str, text: str) -> None:
        """Save a file, and let the change be heard of."""
        (self.connectors / f"{name}.toml").write_text(text)
        self.reloading.look()

    async def goal(self, *wishes: Wish, person: Agreeing | None = None) -> Agreeing:
        """A goal whose plan is made of the wishes."""
        person = person or Agreeing()
        with self.reloading.under_way():
            await self.world.run(person, ["lunch tomorrow at noon"], wishes)
        return person

    async def read_ahead(self) -> None:
        """What is done once something was taken over."""
        self.offered.append(self.verbs)

    @property
    def calendar(self) -> str:
        return "".join(path.read_text() for path in self.world.places.data.rglob("*.ics"))

    @property
    def verbs(self) -> set[str]:
        return {tool.name for tool in self.world.gate.tools if tool.name.startswith("calendar.")}


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Home]:
    made = Home(tmp_path)
    made.reloading.begin()
    yield made
    made.reloading.end()
    made.world.services.close()
    made.world.close()


class Changing(Agreeing):
    """Somebody saves a file while this person is asked for the first time."""

    def __init__(self, save: Callable[[], None]) -> None:
        super().__init__()
        self._save: Callable[[], None] | None = save

    async def ask(self, requests: Sequence[Request]) -> Sequence[Decision]:
        if self._save:
            self._save()
            self._save = None
        return await super().ask(requests)


async def test_what_is_saved_between_goals_holds_for_the_next(home: Home) -> None:
    home.write("calendar", "minutes = 25\n")
    await home.reloading.settled()
    assert home.told == ["The settings of calendar.toml were taken over."]
    person = await home.goal(LUNCH)
    assert "12:25" in str(person.asked[0].prepared.preview)


async def test_once_taken_over_the_model_may_read_of_the_tools_there_are_now(home: Home) -> None:
    await home.reloading.settled()
    assert home.offered == []
    home.write("calendar", 'mode = "read-only"\n')
    await home.reloading.settled()
    assert home.offered == [home.verbs]


async def test_a_goal_that_runs_goes_on_with_the_settings_it_began_with(home: Home) -> None:
    service = home.world.services.built[0].now
    person = Changing(lambda: home.write("calendar", "minutes = 25\n"))
    await home.goal(LOOK, LUNCH, person=person)
    assert home.told[0] == "calendar.toml was changed; it is taken over after this goal."
    assert "13:00" in str(person.asked[1].prepared.preview)
    await home.reloading.settled()
    assert home.told[-1] == "The settings of calendar.toml were taken over."
    assert home.world.services.built[0].now is not service


async def test_the_end_of_a_goal_lets_what_waits_be_taken_over_by_itself(home: Home) -> None:
    await home.goal(LOOK, person=Changing(lambda: home.write("calendar", "minutes = 25\n")))
    taken = asyncio.Event()
    home.reloading._tell = lambda text: taken.set()
    async with asyncio.timeout(20):
        await taken.wait()


@pytest.mark.parametrize(
    ("mode", "why"),
    [("read-only", "was changed and rules it out"), ("off", "was changed and rules it out")],
)
async def test_the_next_call_of_a_running_goal_is_stopped_by_a_narrower_mode(
    home: Home, mode: str, why: str
) -> None:
    before = home.calendar
    person = Changing(lambda: home.write("calendar", f'mode = "{mode}"\n'))
    await home.goal(LOOK, LUNCH, person=person)
    assert home.calendar == before
    assert why in person.ended.summary


async def test_a_yes_that_was_given_already_does_not_get_round_it(home: Home) -> None:
    before = home.calendar
    person = Changing(lambda: home.write("calendar", 'mode = "read-only"\n'))
    await home.goal(LUNCH, person=person)
    assert home.calendar == before
    assert "rules it out by now" in person.ended.summary


async def test_only_what_leaves_is_stopped_by_draft_only(home: Home) -> None:
    home.write("calendar", 'mode = "draft-only"\n')
    await home.reloading.settled()
    await home.goal(LUNCH)
    assert "SUMMARY:Lunch" in home.calendar


async def test_a_mode_is_seen_in_what_is_offered(home: Home) -> None:
    full = home.verbs
    home.write("calendar", 'mode = "read-only"\n')
    await home.reloading.settled()
    assert home.verbs == {"calendar.list_events", "calendar.find_free_time", "calendar.list_tasks"}
    home.write("calendar", 'mode = "off"\n')
    await home.reloading.settled()
    assert home.verbs == set()
    home.write("calendar", "")
    await home.reloading.settled()
    assert home.verbs == full


async def test_a_broken_file_is_named_with_line_and_key_and_the_last_good_one_holds(home: Home) -> None:
    home.write("calendar", "minutes = 25\n")
    await home.reloading.settled()
    home.write("calendar", "# mine\nminutes = 25\nday_starts = 'noon'\n")
    await home.reloading.settled()
    (fault,) = home.told[1:]
    assert fault.startswith("calendar.toml, line 3: 'day_starts': ")
    assert fault.endswith(". The settings of calendar.toml hold as they were before.")
    assert [notice.text for notice in home.world.services.notices()] == [fault]
    person = await home.goal(LUNCH)
    assert "12:25" in str(person.asked[0].prepared.preview)
    home.reloading.look()
    assert len(home.told) == 2
    home.write("calendar", "minutes = 40\n")
    await home.reloading.settled()
    assert home.world.services.notices() == ()


async def test_a_file_that_is_broken_elsewhere_may_still_turn_the_service_off(home: Home) -> None:
    before = home.calendar
    home.write("calendar", 'mode = "off"\nminuets = 25\n')
    person = await home.goal(LUNCH)
    assert home.calendar == before
    assert "rules it out by now" in person.ended.summary
    assert person.asked == []


async def test_what_waited_is_not_lost_by_a_file_that_then_breaks(home: Home) -> None:
    with home.reloading.under_way():
        home.write("calendar", "minutes = 25\n")
        home.write("calendar", "minutes = \n")
    await home.reloading.settled()
    person = await home.goal(LUNCH)
    assert "12:25" in str(person.asked[0].prepared.preview)
    assert "calendar.toml, line 1" in home.world.services.notices()[0].text


async def test_a_change_that_is_taken_back_in_time_changes_nothing(home: Home) -> None:
    service = home.world.services.built[0].now
    with home.reloading.under_way():
        home.write("calendar", 'mode = "off"\n')
        (home.connectors / "calendar.toml").unlink()
        home.reloading.look()
    await home.reloading.settled()
    assert home.world.services.built[0].now is service
    assert "calendar.create_event" in home.verbs


async def test_nothing_is_exchanged_while_a_message_waits_to_go_out(home: Home) -> None:
    home.held = True
    home.write("calendar", "minutes = 25\n")
    await home.reloading.settled()
    assert home.told == ["calendar.toml was changed; it is taken over after this goal."]
    home.held = False
    await home.reloading.settled()
    assert home.told[-1] == "The settings of calendar.toml were taken over."


async def test_a_file_broken_from_the_start_is_mended_without_a_restart(tmp_path: Path) -> None:
    folder = tmp_path / "config" / "connectors"
    folder.mkdir(parents=True)
    (folder / "calendar.toml").write_text("minutes = 0\n")
    home = Home(tmp_path)
    assert home.verbs == set()
    assert home.world.services.left_out[0].text.startswith(
        "The calendar service is off: calendar.toml, line 1"
    )
    home.write("calendar", "minutes = 25\n")
    await home.reloading.settled()
    assert "calendar.create_event" in home.verbs
    assert home.world.services.left_out == []
    home.world.services.close()
    home.world.close()


class Service:
    """A service that counts how often it was begun and ended."""

    name = "files"
    tools: Sequence[Tool] = ()

    def __init__(self, config: FilesConfig) -> None:
        if config.bulk_limit == 13:
            raise ValueError("13 brings no luck")
        self.config = config
        self.steps: list[str] = []

    async def prepare(self, call: Call, context: Context) -> Outcome:
        return Outcome(ok=True, text=str(self.config.bulk_limit))

    async def perform(self, prepared: Prepared) -> Outcome:
        return Outcome(ok=True, text="")

    def notices(self) -> tuple[Notice, ...]:
        return ()

    def start(self) -> None:
        self.steps.append("start")

    def close(self) -> None:
        self.steps.append("close")

    async def probe(self) -> None:
        self.steps.append("probe")


class Bench:
    """One service that is built from a file."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "files.toml"
        self.made: list[Service] = []
        self.running = Running(Recipe("files", FilesConfig, self._build, by_mode), self.path)

    def _build(self, config: FilesConfig) -> Built:
        service = Service(config)
        self.made.append(service)
        return Built(service, (service,), service.probe)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def idle() -> bool:
    return True


async def test_the_old_one_is_ended_before_the_new_one_is_begun(bench: Bench) -> None:
    bench.running.start()
    bench.path.write_text("bulk_limit = 5\n")
    assert bench.running.look()
    await bench.running.exchange(idle)
    assert [service.steps for service in bench.made] == [["start", "close"], ["start", "probe"]]


async def test_a_goal_that_began_meanwhile_keeps_the_old_one(bench: Bench) -> None:
    bench.path.write_text("bulk_limit = 5\n")
    bench.running.look()
    assert await bench.running.exchange(lambda: False) == ""
    assert bench.running.live.now is bench.made[0]
    assert bench.made[1].steps == ["close"]
    assert await bench.running.exchange(idle) == "The settings of files.toml were taken over."


async def test_settings_that_nothing_can_be_built_of_leave_the_old_one(bench: Bench) -> None:
    bench.path.write_text("bulk_limit = 13\n")
    bench.running.look()
    said = await bench.running.exchange(idle)
    assert said == "13 brings no luck. The settings of files.toml hold as they were before."
    assert bench.running.live.now is bench.made[0]
    assert not bench.running.waits


async def test_what_is_off_is_neither_begun_nor_looked_at(bench: Bench) -> None:
    bench.path.write_text('mode = "off"\n')
    bench.running.look()
    bench.running.start()
    await bench.running.exchange(idle)
    assert bench.made[-1].steps == []
    assert bench.running.live.stops == EVERYTHING


def test_editors_that_save_by_renaming_are_heard_every_time(tmp_path: Path) -> None:
    bench, heard = Bench(tmp_path), []
    watch = FolderWatch({tmp_path: lambda: heard.append(bench.running.look())}, quiet=0.01)
    watch.start()
    try:
        for limit in (5, 6):
            (tmp_path / "new").write_text(f"bulk_limit = {limit}\n")
            os.replace(tmp_path / "new", bench.path)
            until(lambda: True in heard)
            heard.clear()
            asyncio.run(bench.running.exchange(idle))
            assert bench.made[-1].config.bulk_limit == limit
    finally:
        watch.close()


def test_an_error_while_hearing_ends_the_hearing_of_nothing(tmp_path: Path) -> None:
    heard: list[int] = []

    def fails() -> None:
        heard.append(1)
        raise RuntimeError("oh")

    watch = FolderWatch({tmp_path: fails}, quiet=0.01)
    watch.start()
    try:
        for count in (1, 2):
            (tmp_path / "a").write_text(str(count))
            until(lambda count=count: len(heard) >= count)
    finally:
        watch.close()


async def test_a_call_that_was_prepared_by_the_old_service_is_judged_by_the_mode_of_now(home: Home) -> None:
    live = home.world.services.built[0]
    call = home.world.gate.make_call(LUNCH.tool, LUNCH.arguments)
    assert isinstance(call, Call)
    prepared = await live.prepare(call, Context(NOW, ZONE))
    assert isinstance(prepared, Prepared)
    home.write("calendar", 'mode = "read-only"\n')
    await home.reloading.settled()
    assert (
        await live.perform(prepared)
    ).text == "Not done: calendar.toml lets the calendar service only read."
