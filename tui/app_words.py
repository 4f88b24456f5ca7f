"""The app's side of what was said: goals to give again, and the conversation to copy or keep."""

from pathlib import Path

from tui.app_past import WithPast
from tui.screens.activity import MOST
from tui.screens.goals import GoalsScreen, past_goals
from tui.telling import turn_text, whole_text, write_new


class WithWords(WithPast):
    """What the app does about words of the past."""

    def action_goals(self) -> None:
        composer = self.conversation.dock.composer
        screen = GoalsScreen(past_goals(composer.sent.all, self.house.activity(MOST)))

        def write(_: None) -> None:
            if screen.picked:
                composer.take_up(screen.picked)

        self.lay_over(screen, write)

    def action_copy_turn(self) -> None:
        text = turn_text(self.conversation.transcript.turn.blocks)
        self.copy_to_clipboard(text)
        self.note("Copied the last goal and what came of it." if text else "There is nothing to copy yet.")

    def action_export(self, name: str) -> None:
        if not name:
            self.note("Say where to: :export FILE")
            return
        path = Path(name).expanduser()
        try:
            write_new(path, whole_text(self.conversation.transcript.told))
        except FileExistsError:
            self.note(f"{path} is there already, and is not written over.")
        except OSError as error:
            self.note(f"{path} cannot be written: {error.strerror}.")
        else:
            self.note(f"The conversation is in {path.absolute()}.")
