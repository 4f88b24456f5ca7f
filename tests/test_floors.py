"""The lower floors run without the terminal's libraries, and only the model's process loads llama.cpp."""

import subprocess
import sys

import pytest

LOADED = "import sys, {module}; print(*sorted(sys.modules))"


def loaded_by(module: str) -> set[str]:
    command = [sys.executable, "-c", LOADED.format(module=module)]
    return set(subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout.split())


@pytest.mark.parametrize(
    "module",
    [
        "assistant.session",
        "assistant.headless",
        "assistant.model.local",
        "permissions.gate",
        "connectors.calendar.connector",
        "connectors.files.connector",
        "connectors.messaging.connector",
        "connectors.settings.connector",
        "tui.cli",
        "tui.commands",
        "tui.compose",
        "tui.line",
        "tui.evals.command",
    ],
)
def test_what_runs_without_a_screen_loads_neither_textual_nor_rich_nor_llama(module: str) -> None:
    assert not {"textual", "rich", "llama_cpp"} & loaded_by(module)


def test_the_conversation_knows_no_concrete_service() -> None:
    services = {f"connectors.{name}" for name in ("calendar", "files", "messaging", "settings")}
    assert not services & loaded_by("assistant.session")
