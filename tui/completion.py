"""Scripts by which a shell completes the words of the command line, made from their grammar."""

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence

from tui.grammar import COMMANDS, Argument

WHOLE = (
    ("--demo", "use a throw-away world; nothing of yours is touched"),
    ("--resume", "take up the last session"),
    ("--version", "which version this is"),
    ("--help", "all commands"),
)
"""What may stand before a command."""

_FILES = ("FILE", "DIR")


def bash() -> str:
    """For `~/.local/share/bash-completion/completions/askfirst`."""
    cases = "\n".join(
        f"    {name}) words={shlex.quote(' '.join(_words(arguments)))} ;;" for name, _, arguments in COMMANDS
    )
    return _BASH.format(
        cases=cases, files="|".join(_file_flags()), first=" ".join([*_names(), *(flag for flag, _ in WHOLE)])
    )


def zsh() -> str:
    """For a file `_askfirst` in a folder of `fpath`."""
    commands = "\n".join(f"    {_quoted(name, text)}" for name, text, _ in COMMANDS)
    cases = "\n".join(f"    {name}) _arguments {' '.join(_zsh(args))} ;;" for name, _, args in COMMANDS)
    whole = " ".join(shlex.quote(f"{flag}[{text}]") for flag, text in WHOLE)
    return _ZSH.format(commands=commands, cases=cases, whole=whole)


def fish() -> str:
    """For `~/.config/fish/completions/askfirst.fish`."""
    lines = ["complete -c askfirst -f"]
    lines += [
        f"complete -c askfirst -n __fish_use_subcommand -l {flag[2:]} -d {shlex.quote(text)}"
        for flag, text in WHOLE
    ]
    for name, text, arguments in COMMANDS:
        lines.append(f"complete -c askfirst -n __fish_use_subcommand -a {name} -d {shlex.quote(text)}")
        lines += [
            f"complete -c askfirst -n '__fish_seen_subcommand_from {name}' {words}"
            for words in _fish(arguments)
        ]
    return "\n".join(lines) + "\n"


SCRIPTS: Mapping[str, Callable[[], str]] = {"bash": bash, "zsh": zsh, "fish": fish}


def _names() -> list[str]:
    return [name for name, _, _ in COMMANDS]


def _choices(flags: Sequence[str], settings: Mapping[str, object]) -> list[str]:
    """What may be said for an argument, where that is known."""
    if flags[0] == "about":
        return _names()
    found = settings.get("choices", ())
    assert isinstance(found, Sequence)
    return [str(choice) for choice in found]


def _words(arguments: Sequence[Argument]) -> Iterator[str]:
    for flags, settings in arguments:
        yield from (flag for flag in flags if flag.startswith("--"))
        if not flags[0].startswith("-"):
            yield from _choices(flags, settings)
    yield "--help"


def _file_flags() -> list[str]:
    """The flags behind which a file stands."""
    every = [each for _, _, arguments in COMMANDS for each in arguments]
    return sorted({flags[-1] for flags, settings in every if settings.get("metavar") in _FILES})


def _zsh(arguments: Sequence[Argument]) -> Iterator[str]:
    for flags, settings in arguments:
        text = str(settings.get("help", "")).replace("[", "(").replace("]", ")").replace(":", " ")
        choices = _choices(flags, settings)
        value = f"({' '.join(choices)})" if choices else "_files"
        if not flags[0].startswith("-"):
            yield shlex.quote(f"*:{text}:{value}" if settings.get("nargs") == "+" else f":{text}:{value}")
            continue
        behind = (
            ""
            if settings.get("action") == "store_true"
            else f":{str(settings.get('metavar', 'value')).replace(':', ' ')}:{value}"
        )
        repeated = "*" if settings.get("action") == "append" else ""
        yield shlex.quote(f"{repeated}{flags[-1]}[{text}]{behind}")


def _fish(arguments: Sequence[Argument]) -> Iterator[str]:
    for flags, settings in arguments:
        text = f"-d {shlex.quote(str(settings.get('help', '')))}"
        choices = " ".join(_choices(flags, settings))
        if not flags[0].startswith("-"):
            if choices:
                yield f"-a {shlex.quote(choices)} {text}"
            continue
        behind = ""
        if settings.get("action") != "store_true":
            behind = " -r -F" if settings.get("metavar") in _FILES else f" -x -a {shlex.quote(choices)}"
        yield f"-l {flags[-1][2:]}{behind} {text}"


def _quoted(name: str, text: str) -> str:
    return shlex.quote(f"{name}:{text}")


_BASH = """\
_askfirst() {{
  local word words="" command="" each
  word="${{COMP_WORDS[COMP_CWORD]}}"
  case "${{COMP_WORDS[COMP_CWORD-1]}}" in {files}) COMPREPLY=(); return ;; esac
  for each in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$each" in -*) ;; *) command="$each"; break ;; esac
  done
  case "$command" in
    "") words="{first}" ;;
{cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _askfirst askfirst
"""

_ZSH = """\
#compdef askfirst
_askfirst() {{
  local state line
  local -a commands
  commands=(
{commands}
  )
  _arguments -C {whole} '1: :->command' '*:: :->rest'
  case "$state" in
  command) _describe command commands ;;
  rest) case "$line[1]" in
{cases}
    esac ;;
  esac
}}
_askfirst "$@"
"""
