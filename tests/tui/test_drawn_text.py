"""Text from outside is drawn as it is: never markup, never a link, never a control character."""

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.events import (
    CallAllowed,
    CallDenied,
    CallFinished,
    Ending,
    GoalTaken,
    ModelProgressed,
    PlanChanged,
    RepairOffered,
    Step,
    TextStreamed,
    ThoughtStreamed,
    TurnEnded,
)
from assistant.frontend import Frontend
from connectors.base import Call, Field, Item, Notice, Option, Outcome, Preview, Question, Resolved, Role
from permissions.words import Origin, Request, Ruling, Verdict, Who
from tests.tui.fake_house import change_event, entry
from tests.tui.stage import asking, playing
from tui.text import literal, one_line, quoted

PLANTED = (
    "[@click=app.quit]yes[/]",
    "[link=http://x.y]go[/link]",
    "[/b]",
    "[TODO] [ $x ]",
    "[b red]Y approved ✓[/]",
    "[/",
    "(1 3 [b +",
    "[data: /x?id=-609b-]",
)
TUI = Path(__file__).parents[2] / "tui"
NOT_OURS = {
    "cli.py",
    "grammar.py",
    "compose.py",
    "demo.py",
    "line.py",
    "home.py",
    "planner.py",
    "services.py",
    "settings.py",
}
CALL = Call("c1", "calendar.list_events", {})


@pytest.mark.parametrize("text", ["\u0941a", "a \u0301", "a\u0301\u0301", "one\n\u0301two"])
def test_a_mark_never_falls_on_what_is_ours(text: str) -> None:
    drawn = literal(text).plain
    assert "⟨U+0" in drawn
    assert literal(drawn).plain == drawn
    assert literal("a\u0301 ⟨U+0301⟩").plain == "a\u0301 ⟨U+0301⟩"


def hostile(text: str) -> Request:
    """A request all of whose words are this text."""
    preview = Preview(text, text, (Field(text, text, "event", note=text, before=text),), text, text, (text,))
    request = change_event(
        origins={"event": Origin(Who.CONTENT, text)}, ruling=Ruling(Verdict.ASK, text, text), offers=()
    )
    resolved = (Resolved(Role.DESTINATION, "event", text, text, 0),)
    call = Call(text, f"calendar.{text}", {"event": text})
    return replace(
        request,
        prepared=replace(
            request.prepared, preview=preview, resolved=resolved, call=call, undo=text, basis=text
        ),
    )


async def no_click(stage) -> None:
    """Click everywhere: nothing may come of it."""
    screen = stage.app.screen
    for y in range(stage.app.size.height):
        for x in range(0, stage.app.size.width, 7):
            style = screen.get_style_at(x, y)
            assert "@click" not in style.meta, (x, y)
            assert not style.link, (x, y)
    assert not stage.app._exit


@pytest.mark.parametrize("text", PLANTED)
async def test_markup_in_a_request_is_shown_as_it_is(text: str) -> None:
    async with asking(hostile(text), size=(100, 50)) as (stage, _):
        await stage.asked()
        assert stage.text.count(text) >= 5
        await no_click(stage)
        for key in ("w", "v"):
            await stage.press(key)
            assert text in stage.text
            await no_click(stage)
            await stage.press(key)
        await stage.press("z")
        assert text in stage.lines[-2]
        await stage.press("escape")


@pytest.mark.parametrize("text", PLANTED)
async def test_markup_in_a_question_is_shown_as_it_is(text: str) -> None:
    async with asking(Question(text, (Option(text, {}, text),), "event")) as (stage, _):
        await stage.questioned()
        assert stage.text.count(text) == 3
        await no_click(stage)
        await stage.press("escape")


@pytest.mark.parametrize("text", PLANTED)
async def test_markup_in_the_conversation_is_shown_as_it_is(text: str) -> None:
    async def says(goal: str, front: Frontend) -> None:
        await front.show(GoalTaken(goal))
        await front.show(ModelProgressed(text, 0.5))
        await front.show(ThoughtStreamed(text))
        await front.show(TextStreamed(text))
        await front.show(PlanChanged((Step("c", text),)))
        await front.show(CallAllowed(CALL, text, text))
        outcome = Outcome(True, text, items=(Item("h", text, text),), content=text)
        await front.show(CallFinished(CALL, text, outcome))
        await front.show(CallFinished(CALL, text, replace(outcome, ok=False)))
        await front.show(CallDenied(CALL, text, text))
        await front.show(RepairOffered(text))
        await front.choose(Question("Go on?", (Option("yes", {}),)))
        await front.show(TurnEnded(Ending.DONE, f"{text} {text}"))

    async with playing(says, (120, 50)) as stage:
        await stage.say(text)
        await stage.questioned()
        await stage.press("1", "ctrl+t")
        await stage.until(lambda: "Done" in stage.text)
        assert stage.text.count(text) >= 12
        await no_click(stage)


@pytest.mark.parametrize("text", PLANTED)
async def test_markup_in_the_journal_and_in_notices_is_shown_as_it_is(text: str) -> None:
    rows = [entry("e1", text, text, goal=text, rule=text, answer=text, outcome=text, fields=((text, text),))]
    async with playing(size=(100, 40), rows=rows, told=(Notice(text, text, (text,)),)) as stage:
        assert text in stage.text
        await stage.press("f2")
        assert stage.text.count(text) == 2
        await no_click(stage)
        await stage.press("enter")
        assert stage.text.count(text) >= 7
        await no_click(stage)
        await stage.press("f4")
        assert stage.text.count(text) == 3
        await no_click(stage)


@given(st.text(max_size=80))
def test_nothing_unseen_passes_the_sink(text: str) -> None:
    for content in (literal(text), one_line(text), *quoted(text, 40)):
        assert content.plain.replace("\n", "").replace("\u00a0", "").isprintable()
        assert not content.spans


def test_what_was_cleaned_on_entry_is_not_escaped_again() -> None:
    assert literal("a⟨U+001B⟩b\tc").plain == "a⟨U+001B⟩b  c"


def test_what_was_not_cleaned_is_made_visible() -> None:
    assert literal("a\x1b[2Jb\u202ec⟨d⟩").plain == "a⟨U+001B⟩[2Jb⟨U+202E⟩c⟨d⟩"


# The lint: what may reach a widget.

MARKED = {"Static", "Label", "OptionList", "SelectionList", "notify"}
FORBIDDEN = {
    "from_markup",
    "from_text",
    "from_rich_text",
    "render_str",
    "Markdown",
    "Button",
    "Checkbox",
    "Tree",
    "DataTable",
    "RichLog",
}
MAKERS = {"literal", "one_line", "Content"}


def files() -> Iterator[Path]:
    return (path for path in sorted(TUI.rglob("*.py")) if path.name not in NOT_OURS)


def name_of(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def faults(source: str) -> list[str]:
    """What could let a string become markup."""
    found: list[str] = []
    tree = ast.parse(source)
    static = {
        c.name
        for c in ast.walk(tree)
        if isinstance(c, ast.ClassDef) and {name_of(b) for b in c.bases} & MARKED
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name in static:
            found += [f"{node.lineno}: {node.name} turns markup on" for _ in [0] if not _init_is_plain(node)]
        if isinstance(node, ast.Call):
            name = name_of(node.func)
            if name in FORBIDDEN:
                found.append(f"{node.lineno}: {name} reads markup")
            if name in MARKED and not _is_plain(node):
                found.append(f"{node.lineno}: {name} without markup=False")
            found += [
                f"{node.lineno}: {word.arg} from a string"
                for word in node.keywords
                if word.arg in ("placeholder", "title") and not _is_made(word.value)
            ]
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if name_of(target) in ("border_title", "border_subtitle", "tooltip") and not _is_made(
                    node.value
                ):
                    found.append(f"{node.lineno}: {name_of(target)} from a string")
    return found


def _is_plain(call: ast.Call) -> bool:
    return any(
        word.arg == "markup" and isinstance(word.value, ast.Constant) and word.value.value is False
        for word in call.keywords
    )


def _init_is_plain(node: ast.ClassDef) -> bool:
    calls = [n for n in ast.walk(node) if isinstance(n, ast.Call) and name_of(n.func) == "__init__"]
    return any(_is_plain(call) for call in calls)


def _is_made(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Call) and name_of(node.func) in MAKERS


@pytest.mark.parametrize("path", list(files()), ids=lambda path: str(path.relative_to(TUI)))
def test_no_string_reaches_a_widget_that_reads_markup(path: Path) -> None:
    assert faults(path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "Static(text)",
        "Static(f'{x}', markup=True)",
        "self.notify(text)",
        "Content.from_markup(text)",
        "x.border_title = text",
        "class A(Static):\n def __init__(self):\n  super().__init__(text)",
        "TextArea(placeholder=text)",
        "Button(text)",
    ],
)
def test_the_lint_finds_what_it_should(source: str) -> None:
    assert faults(source)
