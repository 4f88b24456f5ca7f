"""An app whose data carry control characters; run in a terminal of its own by the test of the bytes."""

from dataclasses import replace

from assistant.events import (
    CallFinished,
    Ending,
    GoalTaken,
    PlanChanged,
    Step,
    TextStreamed,
    ThoughtStreamed,
    TurnEnded,
)
from assistant.frontend import Frontend
from connectors.base import Call, Field, Item, Notice, Option, Outcome, Preview, Question, Resolved, Role
from permissions.words import Ban, Grant, Offer, Origin, Request, Ruling, Scope, Verdict, Who
from tests.tui.fake_house import NOW, FakeHouse, change_event, entry
from tui.app import AskfirstApp

PLANTED = (
    "\x1b]0;PWNED\x07",
    "\x1b]2;PWNED\x1b\\",
    "\x1b]52;c;UFdORUQ=\x07",
    "\x1b]8;;http://evil.example\x1b\\",
    "\x1b[2J",
    "\x1b[31;5mPWNED",
    "\x9b31m",
    "\x9d0;PWNED\x9c",
    "\x00\x05\x08\x0b\x0c\x0e\x7f",
    "\u202eDENWP",
    "\u2066PWNED\u2069",
    "\u200bPWNED\u200d\ufeff",
    "\U000e0041\U000e0042",
    "\u2028\u2029\u0085",
)
TEXT = "start " + " ".join(PLANTED) + " end"
ALWAYS = Grant("t", (), Scope.ALWAYS, NOW)
CALL = Call("c1", TEXT, {"event": TEXT})


def request() -> Request:
    """A request with the text in every place there is."""
    preview = Preview(TEXT, TEXT, (Field(TEXT, TEXT, "event", TEXT, TEXT),), TEXT, TEXT, (TEXT,))
    base = change_event(
        origins={"event": Origin(Who.CONTENT, TEXT)}, ruling=Ruling(Verdict.ASK, TEXT, TEXT), offers=()
    )
    resolved = (Resolved(Role.DESTINATION, "event", TEXT, TEXT, 0),)
    prepared = replace(
        base.prepared,
        preview=preview,
        resolved=resolved,
        call=CALL,
        undo=TEXT,
        basis=TEXT,
        payload={"x": TEXT},
    )
    return replace(
        base,
        prepared=prepared,
        said=TEXT,
        carried=(TEXT,),
        resembles=((TEXT, TEXT),),
        offers=(Offer(ALWAYS, TEXT, (TEXT,)),),
        bans=(Ban("t", (), Scope.ALWAYS, NOW, TEXT),),
        tainted=True,
    )


async def story(goal: str, front: Frontend) -> None:
    await front.show(GoalTaken(TEXT))
    await front.show(ThoughtStreamed(TEXT))
    await front.show(TextStreamed(TEXT))
    await front.show(PlanChanged((Step("c1", TEXT),)))
    outcome = Outcome(True, TEXT, items=(Item("h", TEXT, TEXT),), content=TEXT)
    await front.show(CallFinished(CALL, TEXT, outcome))
    await front.choose(Question(TEXT, (Option(TEXT, {}, TEXT),), "event"))
    await front.ask((request(),))
    await front.ask((request(), request()))
    await front.show(TurnEnded(Ending.DONE, TEXT))


if __name__ == "__main__":
    rows = [entry("e1", TEXT, TEXT, goal=TEXT, rule=TEXT, answer=TEXT, outcome=TEXT, fields=((TEXT, TEXT),))]
    AskfirstApp(FakeHouse(story, rows, told=(Notice(TEXT, TEXT, (TEXT,)),))).run()
