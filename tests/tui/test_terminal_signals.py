"""Somebody who looks away is called, once and without a word of what is asked."""

import pytest

from connectors.config import ConfigError, load
from tests.tui.stage import TurnedClock
from tui.settings import Settings
from tui.signs import Signs
from tui.terminal import AWAY_AFTER, Attention, TerminalSignals

BELL = "\x07"
NOTIFICATION = "\x1b]9;Askfirst is waiting for you\x07"
WAITS = "\x1b]2;Askfirst: waiting for you\x07"


def waited(signs: Signs, *, focused: bool | None = None, idle: float = 0) -> list[str]:
    """All that the terminal is sent while something waits."""
    written: list[str] = []
    clock = TurnedClock()
    attention = Attention(clock)
    if focused is not None:
        attention.focused(focused)
    clock.now += idle
    terminal = TerminalSignals(written.append, attention, signs)
    terminal.start()
    with terminal.waiting():
        pass
    terminal.stop()
    return written


def test_without_the_focus_the_bell_rings_and_the_desktop_is_told() -> None:
    assert BELL + NOTIFICATION in waited(Signs(), focused=False)


def test_with_the_focus_only_the_title_says_it_and_is_put_back() -> None:
    assert waited(Signs(), focused=True, idle=1000) == [
        "\x1b[22;2t\x1b]2;Askfirst\x07",
        WAITS,
        "\x1b]2;Askfirst\x07",
        "\x1b[23;2t",
    ]


@pytest.mark.parametrize(("idle", "called"), [(0, False), (AWAY_AFTER - 1, False), (AWAY_AFTER, True)])
def test_a_terminal_that_does_not_report_its_focus_calls_after_a_while_without_keys(
    idle: float, called: bool
) -> None:
    assert (BELL + NOTIFICATION in waited(Signs(), idle=idle)) == called


def test_a_key_is_a_sign_of_somebody_where_the_focus_is_not_reported() -> None:
    clock = TurnedClock()
    attention = Attention(clock)
    clock.now += AWAY_AFTER
    assert attention.away
    attention.pressed()
    assert not attention.away


@pytest.mark.parametrize(
    ("signs", "sent"),
    [
        (Signs(bell=False), NOTIFICATION),
        (Signs(notification=False), BELL),
        (Signs(bell=False, notification=False), ""),
        (Signs(), BELL + NOTIFICATION),
    ],
)
def test_each_sign_can_be_switched_off(signs: Signs, sent: str) -> None:
    assert [part for part in waited(signs, focused=False) if "\x1b]2" not in part][:1] == [sent]


def test_nothing_at_all_is_sent_with_all_of_them_off() -> None:
    signs = Signs(bell=False, notification=False, title=False)
    assert [part for part in waited(signs, focused=False) if part] == []


def test_they_are_switched_in_the_settings(tmp_path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("[waiting]\nbell = false\n")
    assert load(path, Settings).waiting == Signs(bell=False)
    path.write_text("[waiting]\nlouder = true\n")
    with pytest.raises(ConfigError, match="louder"):
        load(path, Settings)
