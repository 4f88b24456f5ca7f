"""The front end of a turn on the screen: each event becomes what is seen, in one `match`."""

from collections.abc import Sequence

from assistant.events import (
    CallAllowed,
    CallDenied,
    CallFinished,
    Ending,
    Event,
    GoalTaken,
    ModelNoted,
    ModelProgressed,
    PlanChanged,
    RepairOffered,
    TextStreamed,
    ThoughtStreamed,
    TurnEnded,
)
from assistant.frontend import Answer
from connectors.base import Question
from permissions.words import Decision, Request
from tui.blocks import Block, Kind
from tui.screens.conversation import ConversationScreen
from tui.terminal import TerminalSignals

WORKING = "at work: Esc stops before the next call, Ctrl+C stops now"
ENDINGS = {
    Ending.DONE: "Done",
    Ending.NOTHING_FITS: "End",
    Ending.STOPPED: "Stop",
    Ending.LIMIT: "End",
    Ending.FAILED: "End",
}


def call_block(event: CallAllowed | CallFinished | CallDenied | RepairOffered) -> Block:
    """What is seen of a call."""
    match event:
        case CallAllowed(_, title, rule):
            return Block(Kind.ALLOWED, f"{title} (allowed by {rule})")
        case CallFinished(_, title, outcome):
            kind = (Kind.HELD if outcome.until else Kind.DONE) if outcome.ok else Kind.FAILED
            text = outcome.text if outcome.ok else f"{title}: {outcome.text}"
            return Block(kind, text, outcome.items, outcome.content)
        case CallDenied(_, title, reason):
            told = f" ({reason})" if reason and reason != "you said no" else ""
            return Block(Kind.DENIED, f"Not done, you said no: {title}{told}")
        case RepairOffered(text):
            return Block(Kind.NOTE, text)


def said(question: Question, answer: Answer) -> str:
    """What a person answered, in words."""
    if answer.arguments is None:
        return "You gave no answer."
    for option in question.options:
        if option.arguments == answer.arguments:
            return f"You chose: {option.label}" + (f", {option.detail}" if option.detail else "")
    return f"You wrote: {answer.arguments.get(question.argument)}"


class Front:
    """Shows, asks and lets choose on the conversation screen."""

    def __init__(self, screen: ConversationScreen, terminal: TerminalSignals) -> None:
        self._screen = screen
        self._terminal = terminal
        self._open = False
        self._began = ""
        self.started = False
        self.ending: Ending | None = None

    def began(self, goal: str) -> None:
        """A turn begins; its goal is seen at once, although the model may not be ready yet."""
        self._open, self._began, self.ending = True, goal, None
        self._screen.transcript.begin(Block(Kind.YOU, goal) if goal else None)

    async def show(self, event: Event) -> None:
        """Draw one event."""
        screen = self._screen
        match event:
            case GoalTaken(text):
                self._take(text)
                screen.plan.show_steps(())
                screen.status.say(WORKING)
            case ModelProgressed(stage, fraction):
                screen.status.say(stage, fraction)
            case ThoughtStreamed(text):
                screen.transcript.stream(Kind.THOUGHT, text)
            case TextStreamed(text):
                screen.transcript.stream(Kind.SAID, text)
            case ModelNoted(text):
                screen.transcript.add(Block(Kind.NOTE, text))
            case PlanChanged(steps):
                screen.plan.show_steps(steps)
                screen.status.say(WORKING)
                screen.dock.redraw()
            case CallAllowed() | CallFinished() | CallDenied() | RepairOffered():
                screen.transcript.add(call_block(event))
            case TurnEnded(ending, summary):
                self.ending = ending
                self._end(ENDINGS[ending], summary)

    async def ask(self, requests: Sequence[Request]) -> Sequence[Decision]:
        with self._terminal.waiting(), self._screen.making_room():
            return await self._screen.dock.ask(requests)

    async def choose(self, question: Question) -> Answer:
        with self._terminal.waiting(), self._screen.making_room():
            answer = await self._screen.dock.choose(question)
        self._screen.transcript.add(Block(Kind.NOTE, f"{question.text}  {said(question, answer)}"))
        return answer

    def broke_off(self, reason: str) -> None:
        """The turn is over; say why, unless its own ending was shown."""
        if self._open:
            self._end("Stop", reason)

    def _take(self, goal: str) -> None:
        self.started = True
        if goal != self._began:
            self._screen.transcript.add(Block(Kind.YOU, goal))

    def _end(self, head: str, summary: str) -> None:
        self._open = self.started = False
        screen = self._screen
        screen.plan.show_steps(())
        screen.status.say("")
        seen = {block.text for block in screen.transcript.turn.blocks if block.kind is not Kind.SAID}
        lines = [
            line for line in summary.split("\n") if line.removeprefix("✓ ").removeprefix("◷ ") not in seen
        ]
        screen.transcript.add(Block(Kind.END, "\n".join(lines), head=head))
