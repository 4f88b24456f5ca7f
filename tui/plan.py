"""The plan strip: the steps of the goal and how far each is, in signs and in words."""

from textual.app import RenderResult
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from assistant.events import Step, StepState
from tui.text import flowing, hanging, joined, literal, one_line

MOST_LINES = 6
LEAST_WORDS = 12

STATES = {
    StepState.PENDING: ("·", "to do", "$muted"),
    StepState.DOING: ("▸", "now", "bold"),
    StepState.DONE: ("✓", "done", "$text-success"),
    StepState.HELD: ("◷", "held", "$text-warning"),
    StepState.FAILED: ("✗", "failed", "$text-error"),
    StepState.DENIED: ("✗", "you said no", "$text-warning"),
    StepState.SKIPPED: ("–", "skipped", "$muted"),
}


def plan_lines(steps: tuple[Step, ...], width: int) -> list[Content]:
    """One line or more for each step; of a long plan, the lines round the step that is going on."""
    lines: list[Content] = []
    current = 0
    for number, step in enumerate(steps, start=1):
        sign, state, style = STATES[step.state]
        if step.state in (StepState.DOING, StepState.PENDING) and not current:
            current = len(lines) + 1
        added = " (added)" if step.added else ""
        words = Content.assemble(one_line(step.words), f"{added}  ", (state, style))
        lines += hanging(Content(f" {sign} {number}").stylize(style), words, width, 6)
    if len(lines) <= MOST_LINES:
        return lines
    first = min(max(current - 3, 0), len(lines) - (MOST_LINES - 1))
    return [*lines[first : first + MOST_LINES - 1], literal(f"   … {len(steps)} steps in all", "$muted")]


def plan_short(steps: tuple[Step, ...], width: int) -> list[Content]:
    """The plan in as few lines as can be: signs, numbers and states, and the words of the step now."""
    parts = [literal("Plan", "bold")]
    for number, step in enumerate(steps, start=1):
        sign, state, style = STATES[step.state]
        parts.append(literal(f"{sign} {number} {state}", style))
    room = width - sum(part.cell_length + 2 for part in parts)
    now = next((number for number, step in enumerate(steps, start=1) if step.state is StepState.DOING), 0)
    if now and room > LEAST_WORDS:
        parts[now] += one_line(f": {steps[now - 1].words}").truncate(room, ellipsis=True)
    return flowing(parts, width, gap=2)


class PlanStrip(Widget):
    """The steps as they now stand; nothing where there is no plan."""

    def __init__(self) -> None:
        super().__init__()
        self._steps: tuple[Step, ...] = ()
        self._short = False
        self.display = False

    def show_steps(self, steps: tuple[Step, ...]) -> None:
        self._steps = steps
        self.display = bool(steps)
        self.refresh(layout=True)

    def shorten(self, short: bool) -> None:
        """One line for the whole plan, so that a question has room."""
        self._short = short
        self.refresh(layout=True)

    def lines(self, width: int) -> list[Content]:
        """What is shown now, at this width."""
        if not self._steps:
            return []
        return (plan_short if self._short else plan_lines)(self._steps, width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.lines(width))

    def render(self) -> RenderResult:
        return joined(self.lines(self.content_size.width))
