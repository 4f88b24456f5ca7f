"""The command line: the app, one goal on the terminal, and the lists; each loads only what it needs."""

import argparse
import logging
import sys
from collections.abc import Sequence
from logging.handlers import RotatingFileHandler
from pathlib import Path

from connectors.clean import clean_line
from tui.grammar import parser
from tui.instructions import told
from tui.places import Places, throw_away, usual


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 failed, 2 wrong words, 3 nobody there to ask."""
    options = parser().parse_args(arguments)
    if options.command in ("help", "completion", "manual"):
        return told(options)
    if options.demo:
        with throw_away(usual().cache) as places:
            return _start(options, places)
    return _start(options, usual())


def _start(options: argparse.Namespace, places: Places) -> int:
    try:
        places.make()
    except OSError as error:
        return _complain(f"The folder {clean_line(str(error.filename))} cannot be made: {error.strerror}.")
    _log_to(places.state / "askfirst.log")
    from tui.commands import run

    return run(options, places)


def _log_to(path: Path) -> None:
    """Keep the log in a file: nothing but the front end may write to the terminal."""
    try:
        handler: logging.Handler = RotatingFileHandler(path, maxBytes=1_000_000, backupCount=1, delay=True)
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.captureWarnings(True)


def _complain(text: str) -> int:
    sys.stderr.write(f"askfirst: {text}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
