"""What is told of the command line itself: help, completion for shells, and the manual page."""

import argparse
import sys

from tui.completion import SCRIPTS
from tui.grammar import COMMANDS, parser
from tui.manual import manual


def told(options: argparse.Namespace) -> int:
    """Write what was asked for; it needs no folder and no service."""
    match options.command:
        case "completion":
            sys.stdout.write(SCRIPTS[options.shell]())
        case "manual":
            sys.stdout.write(manual())
        case _:
            return _help(options.about)
    return 0


def _help(about: str | None) -> int:
    if about is None:
        parser().print_help()
        return 0
    if about not in [name for name, _, _ in COMMANDS]:
        sys.stderr.write(f"askfirst: There is no command '{about}'. All are in: askfirst help\n")
        return 2
    parser().parse_args([about, "--help"])
    return 0
