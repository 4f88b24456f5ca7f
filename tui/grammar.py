"""The words of the command line: every command with what may stand behind it."""

import argparse
from difflib import get_close_matches
from importlib.metadata import version
from typing import Any, NoReturn

from tui.colon import SERVICES

Argument = tuple[tuple[str, ...], dict[str, Any]]
"""The names of an argument, and what argparse is told of it."""


class Parser(argparse.ArgumentParser):
    """Says of a word that is none which one may have been meant, and where the others are told."""

    def error(self, message: str) -> NoReturn:
        wrong = message.partition("invalid choice: '")[2].partition("'")[0]
        near = get_close_matches(wrong, [name for name, _, _ in COMMANDS], n=1) if wrong else []
        if near and "COMMAND" in message:
            message = f"there is no command '{wrong}'. Did you mean '{near[0]}'? All are in: askfirst help"
        super().error(message)


def parser() -> Parser:
    """What reads the words; every command is in `command`, without one it is the app."""
    whole = Parser("askfirst", description="A personal assistant for the terminal that asks first.")
    whole.add_argument(
        "--version", action="version", version=f"askfirst {version('askfirst')}", help="which version this is"
    )
    whole.add_argument(
        "--demo", action="store_true", help="use a throw-away world; nothing of yours is touched"
    )
    whole.set_defaults(command="app", resume=False)
    whole.add_argument("--resume", action="store_true", help="take up the last session")
    commands = whole.add_subparsers(title="commands", metavar="COMMAND")
    for name, text, arguments in COMMANDS:
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(command=name)
        for flags, settings in arguments:
            command.add_argument(*flags, **settings)
    return whole


def _count(word: str) -> int:
    if not word.isdecimal() or int(word) < 1:
        raise argparse.ArgumentTypeError(f"'{word}' is not a number from 1 up")
    return int(word)


_JSON: Argument = (("--json",), {"action": "store_true", "help": "as JSON"})
_GRANT: Argument = (
    ("--grant",),
    {"action": "append", "metavar": "FILE", "help": "a file of rules for this run only; may be repeated"},
)
_KEEP: Argument = (
    ("--keep",),
    {"action": "store_true", "help": "keep what would else be set back, such as Wi-Fi turned off"},
)
COMMANDS: tuple[tuple[str, str, list[Argument]], ...] = (
    (
        "do",
        "carry out one goal, asking on this terminal",
        [
            (("goal",), {"nargs": "+", "help": "what to do, in your own words"}),
            _GRANT,
            _KEEP,
            _JSON,
        ],
    ),
    (
        "activity",
        "what was asked, allowed and done, newest first",
        [
            _JSON,
            (("-n", "--number"), {"type": _count, "default": 20, "help": "how many"}),
            (
                ("--verify",),
                {
                    "nargs": "?",
                    "const": "",
                    "metavar": "COUNT:HASH",
                    "help": "check that nothing was altered since, and show where the log stands",
                },
            ),
            (("--export",), {"metavar": "FILE", "help": "write the whole log into a new file"}),
            (("--recover",), {"action": "store_true", "help": "go through what was held or cut off"}),
        ],
    ),
    (
        "undo",
        "take back the last deed, or the one named",
        [(("id",), {"nargs": "?", "default": "", "help": "an id of askfirst activity, or how it begins"})],
    ),
    (
        "connect",
        "set up a service by a few questions: an account, folders, or what may be set",
        [
            (("service",), {"choices": SERVICES, "help": "what to set up"}),
            (("--stdout",), {"action": "store_true", "help": "only show the settings; write nothing"}),
        ],
    ),
    ("connectors", "the state of every service", [_JSON]),
    (
        "models",
        "the models here; get one, import a file, use another, remove one",
        [
            (
                ("action",),
                {"nargs": "?", "choices": ["list", "get", "import", "use", "remove"], "default": "list"},
            ),
            (("what",), {"nargs": "?", "default": "", "help": "a model's name, or the path of a file"}),
            (("--repository",), {"metavar": "NAME", "help": "where on the hub it is, as owner/name"}),
            (("--file",), {"metavar": "FILE", "help": "which file there; * stands for anything"}),
            (("--yes",), {"action": "store_true", "help": "remove without being asked"}),
            _JSON,
        ],
    ),
    (
        "permissions",
        "what is permitted and forbidden; take one back; say yes to changed rules; why a call was asked",
        [
            (("action",), {"nargs": "?", "choices": ["list", "revoke", "accept", "why"], "default": "list"}),
            (
                ("what",),
                {"nargs": "?", "default": "", "help": "the id of a permission or a call, or whose rules"},
            ),
            _JSON,
        ],
    ),
    ("check", "check every configuration file", []),
    ("doctor", "what works on this machine, and what is missing", [_JSON]),
    (
        "bench",
        "how fast a model is on this machine, and what would make it faster; takes a few minutes",
        [(("model",), {"nargs": "?", "default": "", "help": "a model's name or file"}), _JSON],
    ),
    (
        "eval",
        "measure models: in scenarios with a world of their own, or on goals that people typed",
        [
            (("--model",), {"action": "append", "help": "a model's name or file, or an anchor; repeat it"}),
            (("--goals",), {"action": "append", "metavar": "FILE", "help": "goals as JSON lines"}),
            (
                ("--without",),
                {"action": "append", "metavar": "FILE", "help": "leave out goals that are there"},
            ),
            (
                ("--scenarios",),
                {"metavar": "DIR", "help": "a folder of scenarios (left out: those built in)"},
            ),
            (("--kind",), {"action": "append", "help": "only scenarios of this kind"}),
            (("--half",), {"choices": ["tuning", "evaluation"], "help": "only this half of the scenarios"}),
            (("--limit",), {"type": int, "help": "so many scenarios a kind, goals in scope, goals beyond"}),
            (("--seed",), {"type": int, "default": 0, "help": "which goals are drawn"}),
            (("--runs",), {"type": int, "default": 3, "help": "how often each scenario is run"}),
            (("--faults",), {"action": "store_true", "help": "tell what went wrong, case by case"}),
            _JSON,
        ],
    ),
    (
        "completion",
        "what makes a shell complete these words; to be put where that shell looks for it",
        [(("shell",), {"choices": ["bash", "zsh", "fish"], "help": "for which shell"})],
    ),
    ("manual", "the manual page, as roff: askfirst manual | man -l -", []),
    ("help", "all commands, or one of them", [(("about",), {"nargs": "?", "help": "a command"})]),
)
