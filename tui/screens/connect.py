"""Setting up a service inside the app: one question after the other, and nothing kept before the last."""

import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from connectors.asking import GivenUp
from connectors.config import ConfigError
from connectors.secrets.base import Secret
from tui.colon import SERVICES
from tui.house import House
from tui.news import Heard
from tui.prompt.rows import Line
from tui.screens.overlay import Overlay
from tui.text import joined, literal

_WHICH = "Which service is to be set up? Its number:"
_NOTHING = "Nothing was set up."
_AT_WORK = "One moment …"


class SecretLine(Line):
    """A line whose text is shown as dots, and which forgets it as soon as it is given."""

    class Given(Message):
        """The secret was typed; nothing but this message holds it."""

        def __init__(self, secret: Secret) -> None:
            super().__init__()
            self.secret = secret

    def __init__(self) -> None:
        super().__init__()
        self.password = True

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        lines = event.text.splitlines()
        if lines:
            self.insert_text_at_cursor(lines[0])

    def action_copy(self) -> None:
        """A secret is not copied from here."""

    def action_cut(self) -> None:
        """Nor cut."""

    async def action_submit(self) -> None:
        secret = Secret(self.value)
        self.value = ""
        self.post_message(self.Given(secret))


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: what is usual, the options to pick from, and whether the answer is a secret.

    Of a `single` one the number of an option is the answer as soon as it is typed.
    """

    text: str
    usual: str = ""
    options: tuple[str, ...] = ()
    secret: bool = False
    single: bool = False

    def answers(self, typed: str) -> bool:
        """True if what is typed answers it by itself."""
        return self.single and typed.isdecimal() and 1 <= int(typed) <= len(self.options)


class ScreenAsker:
    """Asks on the screen from another thread; once it was left, every question and every word gives up."""

    def __init__(self, show: Callable[[Asked | str], None]) -> None:
        self._show = show
        self._answers: queue.SimpleQueue[str | Secret | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._left = self._writing = False

    def answer(self, answer: str | Secret) -> None:
        """What was typed."""
        self._answers.put(answer)

    def leave(self) -> bool:
        """Give up; False if it is too late for that, since it is being written already."""
        with self._lock:
            if not self._writing:
                self._left = True
                self._answers.put(None)
            return self._left

    def say(self, text: str) -> None:
        self._tell(text)

    def ask(self, question: str, usual: str = "") -> str | None:
        answer = self._asked(Asked(question, usual))
        return (answer.strip() or usual) if isinstance(answer, str) else None

    def ask_secret(self, question: str) -> Secret | None:
        answer = self._asked(Asked(question, secret=True))
        return answer if isinstance(answer, Secret) else None

    def pick(self, question: str, options: Sequence[str]) -> Sequence[int] | None:
        while True:
            answer = self._asked(Asked(question, options=tuple(options)))
            if not isinstance(answer, str):
                return None
            words = answer.replace(",", " ").split()
            if all(word.isdecimal() and 1 <= int(word) <= len(options) for word in words):
                return [int(word) - 1 for word in words]
            self._tell(f"Numbers from 1 to {len(options)}, please.")

    def pick_one(self, question: str, options: Sequence[str]) -> str:
        """Exactly one of the options. Raises GivenUp."""
        while True:
            answer = self._asked(asked := Asked(question, options=tuple(options), single=True))
            if not isinstance(answer, str):
                raise GivenUp
            if asked.answers(answer.strip()):
                return options[int(answer) - 1]

    def begin_writing(self) -> None:
        with self._lock:
            if self._left:
                raise GivenUp
            self._writing = True

    def _asked(self, asked: Asked) -> str | Secret | None:
        self._tell(asked)
        return self._answers.get()

    def _tell(self, what: Asked | str) -> None:
        if self._left:
            raise GivenUp
        self._show(what)


def hindrance(house: House, *, busy: bool) -> str:
    """Why nothing can be set up now, or nothing."""
    if house.connect is None:
        return "This is the demo world; there is nothing to connect it to."
    return "Wait until this goal has ended, or stop it with Esc." if busy else ""


class ConnectScreen(Overlay):
    """Tells the app what was set up in the end; Esc leaves everything as it was."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "escape", "leave", "leave all as it was", id="connect.leave", tooltip="Leave; nothing is changed"
        ),
    ]

    class Wished(Message):
        """The thread that asks wants something done."""

        def __init__(self, work: Callable[[], None]) -> None:
            super().__init__()
            self.work = work

    def __init__(self, house: House, service: str = "") -> None:
        super().__init__(f"Set up {service or 'a service'}")
        self._connect = house.connect
        self._service = service
        self._asker = ScreenAsker(self._from_thread)
        self._asked: Asked | None = None
        self._done = False

    def body(self) -> Iterable[Widget]:
        yield VerticalScroll(classes="said", can_focus=False)

    def on_mount(self) -> None:
        # A daemon: a server that does not answer must not keep the program from ending.
        threading.Thread(target=self._work, name="connect", daemon=True).start()

    def on_unmount(self) -> None:
        self._asker.leave()

    def action_leave(self) -> None:
        if self._asker.leave():
            self._end(_NOTHING)

    @on(Input.Submitted)
    def _typed(self, event: Input.Submitted) -> None:
        event.stop()
        self._give(event.value, event.value.strip() or (self._asked.usual if self._asked else ""))

    @on(Input.Changed)
    def _types(self, event: Input.Changed) -> None:
        event.stop()
        if self._asked and self._asked.answers(event.value):
            self._give(event.value, event.value)

    @on(SecretLine.Given)
    def _typed_secret(self, event: SecretLine.Given) -> None:
        event.stop()
        self._give(event.secret, "(not shown)")

    def _give(self, answer: str | Secret, shown: str) -> None:
        if self._asked is None:
            return
        self._asked = None
        self.query_one(Line).remove()
        self._say(f"  {shown}" if shown else "  (nothing)", "$muted")
        self._say(_AT_WORK, "$muted", passing=True)
        self._asker.answer(answer)

    def _work(self) -> None:
        """Ask all there is to ask, on a thread of its own."""
        try:
            service = self._service or self._asker.pick_one(_WHICH, SERVICES)
            lines = self._connect(service, self._asker) if self._connect else ""
            said = f"Set up: {service}.\n{lines.rstrip()}" if lines else _NOTHING
        except GivenUp:
            said = _NOTHING
        except ConfigError as error:
            said = f"{_NOTHING} {error}."
        except OSError as error:
            said = f"{_NOTHING} It could not be written: {error.strerror}."
        self._post(lambda: self._end(said))

    def _from_thread(self, what: Asked | str) -> None:
        self._post(lambda: self._ask(what) if isinstance(what, Asked) else self._say(what))

    def _post(self, work: Callable[[], None]) -> None:
        """Have the screen do something on its own thread; one that is gone does nothing any more."""
        self.post_message(self.Wished(work))

    @on(Wished)
    def _do(self, event: Wished) -> None:
        event.work()

    def _end(self, said: str) -> None:
        if not self._done:
            self._done = True
            self.app.post_message(Heard(said))
            self.dismiss()

    def _ask(self, asked: Asked) -> None:
        if self._done:
            return
        self._asked = asked
        options = "".join(f"\n  {number}  {text}" for number, text in enumerate(asked.options, start=1))
        self._say(f"{asked.text}{options}", "bold")
        line = SecretLine() if asked.secret else Line()
        line.placeholder = asked.usual
        self.query_one(".said").mount(line)
        line.focus()
        self.call_after_refresh(self.query_one(".said", VerticalScroll).scroll_end, animate=False)

    def _say(self, text: str, style: str = "", *, passing: bool = False) -> None:
        if self._done:
            return
        place = self.query_one(".said")
        place.query(".passing").remove()
        said = Static(joined([literal(line, style) for line in text.split("\n")]), markup=False)
        place.mount(said.set_class(passing, "passing"))
