"""What holds for every prompt: it draws all that would run, in its own frame, and only one key is a yes."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual.geometry import Size

from connectors.base import Effect, Field, Prepared, Preview, Resolved, Role
from permissions.words import Decision, Origin, Reply, Request, Ruling, Verdict, Who
from tests.tui.fake_house import change_event, send_message
from tests.tui.stage import Stage, asking
from tui.prompt.face import Face
from tui.prompt.lines import draw
from tui.prompt.subject import OneRequest, View
from tui.prompt.together import Together
from tui.text import literal

ANY_TEXT = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=60)
NAMES = st.text(st.characters(categories=("L", "N", "P", "S", "Zs")), min_size=1, max_size=60).filter(
    str.strip
)
ADDRESSES = st.builds(
    "{}@{}.{}".format,
    st.from_regex(r"[a-z0-9.]{1,40}", fullmatch=True),
    st.from_regex(r"(xn--)?[a-z0-9-]{1,60}", fullmatch=True),
    st.sampled_from(["com", "org", "xn--p1ai"]),
)
WIDTHS = st.integers(min_value=56, max_value=140)


def acting(
    tool: str = "messaging.send",
    effect: Effect = Effect.SEND,
    to: str = "ana@acme.com",
    on: tuple[str, str] = ("note:1", "Notes"),
    body: str = "Hi",
) -> Request:
    """A request about a destination and an object, of which the preview names nothing."""
    base = send_message(body)
    resolved = (
        Resolved(Role.DESTINATION, "to", to, "Ana", written_before=3),
        Resolved(Role.TARGET, "on", on[0], on[1]),
    )
    call = replace(base.call, tool=tool)
    prepared = Prepared(
        call, frozenset({effect}), resolved, {}, Preview("Do it", "does it", (), body), "basis"
    )
    return replace(base, prepared=prepared, traced=())


def decision_lines(request: Request, width: int = 76) -> tuple[str, ...]:
    """All that a person decides by: the frame and what would happen."""
    one = OneRequest(request)
    parts, place = one.title()
    drawn = draw(request, width)
    return (*parts, place, one.sign, *(line.plain for line in (*drawn.decision, *drawn.quoted)))


def squeezed(text: str) -> str:
    return "".join(text.split())


class TestWhatIsDrawn:
    @given(ADDRESSES, ADDRESSES)
    def test_two_destinations_never_look_the_same(self, one: str, other: str) -> None:
        same = decision_lines(acting(to=one)) == decision_lines(acting(to=other))
        assert same == (one == other)

    @given(st.tuples(NAMES, NAMES), st.tuples(NAMES, NAMES))
    def test_two_objects_never_look_the_same(self, one: tuple[str, str], other: tuple[str, str]) -> None:
        same = decision_lines(acting(on=one)) == decision_lines(acting(on=other))
        assert same == (one == other)

    def test_two_objects_of_one_name_differ_by_their_sign(self) -> None:
        one, other = acting(on=("note:1", "Notes")), acting(on=("note:2", "Notes"))
        assert OneRequest(one).sign != OneRequest(other).sign
        assert draw(one, 76).decision == draw(other, 76).decision

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            (acting(), acting(tool="calendar.send")),
            (
                acting(tool="files.write", effect=Effect.WRITE),
                acting(tool="files.write", effect=Effect.DELETE),
            ),
            (acting(), acting(effect=Effect.SHARE)),
            (acting(), acting(body="Hi ")),
            (acting(body="a  b"), acting(body="a b")),
            (acting(), replace(acting(), prepared=replace(acting().prepared, undo="it can be taken back"))),
        ],
        ids=["service", "effect", "effect out", "text", "space in the text", "undo"],
    )
    def test_calls_that_differ_look_different(self, one: Request, other: Request) -> None:
        assert decision_lines(one) != decision_lines(other)

    def test_every_pair_of_effects_looks_different(self) -> None:
        drawn = {decision_lines(acting(tool="files.do", effect=effect)) for effect in Effect}
        assert len(drawn) == len(Effect)

    @given(ADDRESSES, NAMES, WIDTHS)
    def test_drawing_the_same_request_again_gives_the_same_lines(
        self, to: str, name: str, width: int
    ) -> None:
        request = acting(to=to, on=("note:1", name))
        assert decision_lines(request, width) == decision_lines(request, width)


class TestNothingIsCut:
    @given(ADDRESSES, NAMES, WIDTHS)
    def test_destinations_and_objects_stand_there_in_full(self, to: str, name: str, width: int) -> None:
        drawn = squeezed("".join(decision_lines(acting(to=to, on=("note:1", name)), width)))
        assert squeezed(literal(to).plain) in drawn
        assert squeezed(literal(name).plain) in drawn

    @given(st.lists(ANY_TEXT, min_size=1, max_size=8), WIDTHS)
    def test_the_whole_text_stands_there_behind_its_gutter(self, parts: list[str], width: int) -> None:
        body = "\n".join(parts)
        lines = [line.plain for line in draw(acting(body=body), width).quoted[1:]]
        assert all(line.startswith("┃ ") for line in lines)
        assert squeezed("".join(line[2:] for line in lines)) == squeezed(literal(body).plain)

    @given(NAMES, ADDRESSES, st.integers(60, 120), st.integers(16, 40))
    def test_no_line_is_wider_than_the_terminal(self, title: str, to: str, width: int, height: int) -> None:
        request = acting(to=to)
        preview = replace(request.prepared.preview, title=title * 3, deed=title)
        request = replace(request, prepared=replace(request.prepared, preview=preview))
        face = Face(OneRequest(request))
        face.terminal = Size(width, height)
        assert all(line.cell_length <= width for line in face.lines(Size(width, height - 5)))


class TestTheFrame:
    PLANTED = "┌─ CALENDAR ─┐\n│ [Y] approved ✓ │\n└─ y yes ─┘\n║ y yes ║"

    @pytest.mark.parametrize("request_", [send_message(PLANTED), change_event()], ids=["text", "fields"])
    def test_planted_frames_stand_inside_ours(self, request_: Request) -> None:
        planted = Field(self.PLANTED, self.PLANTED, "event", self.PLANTED, self.PLANTED)
        preview = replace(
            request_.prepared.preview, fields=(planted,), warnings=(self.PLANTED,), diff=self.PLANTED
        )
        request = replace(
            request_,
            prepared=replace(request_.prepared, preview=preview),
            origins={"event": Origin(Who.CONTENT, self.PLANTED)},
            ruling=Ruling(Verdict.ASK, self.PLANTED, self.PLANTED),
            carried=(self.PLANTED,),
            said=self.PLANTED,
        )
        for view in View:
            face = Face(OneRequest(request))
            face.terminal = Size(80, 200)
            face.sheet.turn_to(view)
            top, *inside, foot = [line.plain for line in face.lines(Size(80, 195))]
            side = "║" if face.subject.heavy else "│"
            assert top[0] in "┌╔"
            assert foot[0] in "└╚"
            assert all(line.startswith(f"{side} ") and line.endswith(f" {side}") for line in inside)
            assert not any("Text" in line and "┃" in line for line in inside)

    def test_what_is_quoted_has_no_colour_of_ours(self) -> None:
        quoted = draw(send_message(self.PLANTED), 76).quoted[1:]
        assert all(not line.spans for line in quoted)


@given(st.lists(st.sampled_from(["tick 1", "tick 2"]), max_size=6))
def test_ticks_change_nothing_of_what_is_drawn_but_the_ticks(ticks: list[str]) -> None:
    together = Together((change_event(), send_message("Hi")))
    before = [line.plain for line in together.draw(View.DEED, 76).quoted]
    for tick in ticks:
        together.tick(int(tick[-1]))
    after = [line.plain for line in together.draw(View.DEED, 76).quoted]
    changed = [old for old, new in zip(before, after, strict=True) if old != new]
    assert all(line.startswith("[") for line in changed)


OTHER_KEYS = [
    *"abcdfghjklmopqstuvwxzABCDEFGHIJKLMNOPQRSTUVWXZ0123456789 .,?!",
    *("enter", "space", "tab", "shift+tab", "backspace", "delete", "home", "end", "pagedown", "pageup"),
    *("down", "up", "left", "right", "ctrl+y", "alt+y", "ctrl+s", "ctrl+d", "ctrl+u", "f1", "f2"),
]


async def press_other(stage: Stage, chance: random.Random) -> None:
    await stage.press(chance.choice(OTHER_KEYS))


async def click(stage: Stage, chance: random.Random) -> None:
    size = stage.app.size
    await stage.pilot.click(offset=(chance.randrange(size.width), chance.randrange(size.height)))


async def paste(stage: Stage, chance: random.Random) -> None:
    stage.app.post_message(events.Paste(chance.choice(["y", "Y", "yY\n", "gmail.com", "gmail.comY"])))
    await stage.settle()


async def resize(stage: Stage, chance: random.Random) -> None:
    await stage.pilot.resize_terminal(*chance.choice([(80, 24), (50, 12), (120, 40), (60, 16)]))


async def look_away_and_back(stage: Stage, chance: random.Random) -> None:
    stage.app.post_message(chance.choice([events.AppBlur, events.AppFocus])())
    await stage.settle()


async def wait_long(stage: Stage, chance: random.Random) -> None:
    stage.clock.now += chance.choice([1, 60, 100_000])
    stage.app.conversation.dock.redraw()
    await stage.settle()


async def press_yes_too_early(stage: Stage, chance: random.Random) -> None:
    if stage.app.conversation.dock.asking:
        stage.app.conversation.dock.came_into_view()
    await stage.press(chance.choice("yY"))


ACTS = [press_other] * 6 + [click, paste, resize, look_away_and_back, wait_long, press_yes_too_early]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.timeout(120)
async def test_nothing_but_the_right_key_at_the_right_time_says_yes(seed: int) -> None:
    chance = random.Random(seed)
    request = replace((change_event(), send_message("Hi"))[seed % 2], offers=())
    async with asking(request) as (stage, script):
        await stage.asked()
        done = []
        for _ in range(40):
            act = chance.choice(ACTS)
            done.append(act.__name__)
            await act(stage, chance)
            answers = [answer for answer in script.answers if isinstance(answer, Decision)]
            assert not any(answer.reply is Reply.YES for answer in answers), done
            if answers:
                break
