"""A described world is written in the services' own formats, and its state read back as lines."""

from datetime import date, datetime
from pathlib import Path

import pytest

from assistant.evals.scenario import FaultRule
from assistant.evals.worldspec import Event, File, Mail, Person, Task, WorldSpec
from connectors.faulty import FaultKind
from tui.evals.furnish import furnish
from tui.evals.state import state_of
from tui.evals.worlds import FolderWorlds, move

SENT = datetime.fromisoformat("2026-11-20T09:00")
WORLD = WorldSpec(
    people=(Person(name="Ana Ruiz", address=("ana@post.example", "ana@work.example"), phone="+34 1"),),
    events=(
        Event(title="Dentist", at=datetime.fromisoformat("2026-12-03T15:00"), minutes=30, place="Elm Street"),
        Event(title="Fair", at=date(2026, 12, 5), days=2, calendar="work"),
        Event(
            title="Yoga",
            at=datetime.fromisoformat("2026-11-05T18:00"),
            repeat="FREQ=WEEKLY",
            guests=("ana@post.example",),
        ),
    ),
    tasks=(Task(title="Stamps", due=date(2026, 12, 2)), Task(title="Old", done=True)),
    mail=(
        Mail(
            sender="Ana Ruiz <ana@post.example>",
            subject="Hi",
            body="See you?\nYes.",
            at=SENT,
        ),
        Mail(to=("ana@post.example",), subject="Re", body="Ja", at=SENT, folder="Sent"),
    ),
    files=(File(path="Documents/a/b.txt", text="One\n two"),),
    folders=("Downloads/empty",),
)


@pytest.fixture
def worlds(tmp_path: Path) -> FolderWorlds:
    return FolderWorlds(tmp_path / "cache")


async def test_all_that_is_described_is_there(worlds: FolderWorlds) -> None:
    async with worlds.open(WORLD) as world:
        lines = [line for line in world.state() if not line.startswith("setting")]
    assert lines == [
        "contact | ana ruiz | ana@post.example | ana@work.example | +34 1",
        "event | dentist | 2026-12-03 15:00:00+01:00 europe/copenhagen"
        " | 2026-12-03 15:30:00+01:00 europe/copenhagen | home | location=elm street",
        "event | fair | 2026-12-05 | 2026-12-07 | work",
        "event | yoga | 2026-11-05 18:00:00+01:00 europe/copenhagen"
        " | 2026-11-05 19:00:00+01:00 europe/copenhagen | home | rrule=freq=weekly"
        " | guest=mailto:ana@post.example",
        "file | documents/a/b.txt | one two",
        "folder | documents",
        "folder | documents/a",
        "folder | downloads",
        "folder | downloads/empty",
        "mail | inbox | from ana ruiz <ana@post.example> | to robin vale <robin@home.example>"
        " | hi | see you? yes",
        "mail | sent | from robin vale <robin@home.example> | to ana@post.example | re | ja",
        "task | old | | done | home",
        "task | stamps | 2026-12-02 | open | home",
    ]


async def test_the_same_description_gives_the_same_state(worlds: FolderWorlds) -> None:
    states = []
    for _ in range(2):
        async with worlds.open(WORLD) as world:
            states.append(world.state())
    assert states[0] == states[1]


async def test_the_device_is_as_described_and_lacks_what_it_lacks(worlds: FolderWorlds) -> None:
    spec = WorldSpec(device={"volume": 12}, lacks=("bluetooth",))
    async with worlds.open(spec) as world:
        assert "setting | volume | 12" in world.state()
        assert not [line for line in world.state() if "bluetooth" in line]


async def test_only_the_named_services_are_there(worlds: FolderWorlds) -> None:
    async with worlds.open(WorldSpec(services=("files",))) as world:
        assert {tool.name.partition(".")[0] for tool in world.gate.tools} == {"files"}


@pytest.mark.parametrize(
    "spec",
    [
        WorldSpec(device={"warp": True}),
        WorldSpec(lacks=("warp",)),
        WorldSpec(address="nobody"),
    ],
)
async def test_a_world_that_cannot_be_is_refused(worlds: FolderWorlds, spec: WorldSpec) -> None:
    with pytest.raises(ValueError, match=r"."):
        async with worlds.open(spec):
            pass


def test_another_program_changes_what_the_rule_names(tmp_path: Path) -> None:
    furnish(tmp_path, WORLD)
    (tmp_path / "device.json").write_text("{}")
    rule = FaultRule(
        tool="files.write",
        kind=FaultKind.WORLD_MOVES,
        file="files/Documents/**/*.txt",
        old="One",
        new="Three",
    )
    move(tmp_path, rule)
    assert "file | documents/a/b.txt | three two" in state_of(tmp_path)
    with pytest.raises(ValueError, match="holds “One”"):
        move(tmp_path, rule)
