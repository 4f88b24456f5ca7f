"""A file of rules is read whole or not at all, and every fault names the file and the line."""

from pathlib import Path

import pytest

from connectors.base import Effect, Role
from connectors.config import ConfigError
from permissions.rule_file import read_rules
from permissions.rules import Hours, Links
from permissions.words import Flag, Limit, Verdict, Width
from tests.permissions.rule_texts import TOOLS, rules_of


def test_no_file_is_no_rules(tmp_path: Path) -> None:
    assert read_rules(tmp_path / "files.toml", "files", TOOLS) == ()


def test_every_part_of_a_rule_is_read() -> None:
    first, second, third = rules_of(
        """
        [[rule]]
        name = "notes"
        tool = ["write", "files.move"]
        under = "Documents/notes/"
        at_most = 3
        hours = "09:00-18:00"
        decide = "allow"

        [[rule]]
        effect = "delete"
        more_than = 2
        links = "not_from_user"
        flags = ["target_not_yours"]
        args.file = { not = { under = ["Downloads"] } }
        decide = "refuse"
        """
    )
    assert (first.name, first.verdict, first.service, first.verb) == (
        "notes",
        Verdict.ALLOW,
        "files",
        "write",
    )
    assert second.verb == "move"
    assert first.limits == (Limit("*", Width.UNDER, ("Documents/notes",)),)
    assert (first.at_most, first.source) == (3, "files.toml:2")
    assert first.hours is not None
    assert first.hours.start.hour == 9
    assert (third.name, third.verb, third.effect) == ("files rule 2", "", Effect.DELETE)
    assert third.strays == (Limit("file", Width.UNDER, ("Downloads",)),)
    assert (third.more_than, third.links, third.flags) == (
        2,
        Links.NOT_FROM_USER,
        {Flag.TARGET_NOT_YOURS},
    )
    assert isinstance(third.hours, Hours | None)


def test_recipients_and_calendars_are_named_by_what_they_are() -> None:
    (mail,) = rules_of(
        '[[rule]]\nrecipient = { domain = "Press.Example" }\ndecide = "ask_typed"', "messaging"
    )
    assert mail.limits == (Limit("*", Width.DOMAIN, ("press.example",), Role.DESTINATION),)
    (home,) = rules_of('[[rule]]\ntool="create_event"\ncalendar = "home"\ndecide = "allow"', "calendar")
    assert home.limits == (Limit("*", Width.CALENDAR, ("home",), Role.TARGET),)


@pytest.mark.parametrize(
    ("line", "text", "message"),
    [
        (2, '[[rule]]\ndecide = "perhaps"', "'rule.0.decide'"),
        (1, "[[rule]]\n", "'rule.0.decide': Field required"),
        (3, '[[rule]]\ndecide = "ask"\ntoool = "write"', "'rule.0.toool' is not a setting here"),
        (1, "rules = []", "'rules' is not a setting here; known are rule, service"),
        (4, '\n[[rule]]\ndecide = "ask"\ntool = "wrote"', "files has no tool “wrote”; it has read, write"),
        (3, '[[rule]]\ndecide = "ask"\ntool = "messaging.send"', "this file is about files, not messaging"),
        (1, 'service = "messaging"\n[[rule]]\ndecide = "ask"', "this file is about files"),
        (3, '[[rule]]\ndecide = "ask"\nargs.fiel = { is = "x" }', "no such tool has an argument “fiel”"),
        (3, '[[rule]]\ndecide = "ask"\nargs.file = { like = "x" }', "'rule.0.args.file.like'"),
        (3, '[[rule]]\ndecide = "ask"\nargs.file = {}', "says nothing"),
        (3, '[[rule]]\ndecide = "ask"\nargs.file = { is = [] }', "'rule.0.args.file.is'"),
        (3, '[[rule]]\ndecide = "ask"\nargs.file = { is = "" }', "'rule.0.args.file.is.0'"),
        (3, '[[rule]]\ndecide = "ask"\nargs.file = { any = false }', "'rule.0.args.file.any'"),
        (3, '[[rule]]\ndecide = "ask"\nargs.file = { not = { not = { is = "a" } } }', "says nothing"),
        (3, '[[rule]]\ndecide = "ask"\nhours = "25:00-26:00"', "“25:00-26:00” is no time of the day"),
        (3, '[[rule]]\ndecide = "ask"\nhours = "9 to 5"', "no time of the day"),
        (3, '[[rule]]\ndecide = "ask"\nat_most = 0', "'rule.0.at_most'"),
        (3, '[[rule]]\ndecide = "ask"\nat_most = "3"', "'rule.0.at_most'"),
        (3, '[[rule]]\ndecide = "ask"\nunder = "/home/bo"', "should begin with the name of a folder"),
        (3, '[[rule]]\ndecide = "ask"\nunder = "Documents/../x"', "should begin with the name of a folder"),
        (3, '[[rule]]\ndecide = "ask"\nrecipient = { domain = "@x.org" }', "“@x.org” is not a domain"),
        (3, '[[rule]]\ndecide = "ask"\neffect = "sned"', "'rule.0.effect'"),
        (3, '[[rule]]\ndecide = "ask"\nflags = ["new"]', "'rule.0.flags.0'"),
        (2, 'x = 1\n[[rule]\ndecide = "ask"', "is not valid TOML"),
    ],
)
def test_a_fault_is_told_with_file_and_line(line: int, text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        rules_of(text)
    assert str(caught.value).startswith(f"files.toml, line {line}: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("service", "text", "message"),
    [
        ("messaging", 'tool = "send"\nargs.to = { is = "ana@acme.com" }', "what can send is asked for every"),
        ("messaging", 'tool = ["search", "reply"]\nargs.to = { any = true }', "what can send is asked"),
        ("files", 'tool = "delete"\nargs.file = { any = true }', "what can delete is asked for every time"),
        ("files", 'effect = "share"\ntool = "write"\nunder = "Documents"', "what can share is asked"),
        ("files", 'tool = "write"', "an allow says what it covers"),
        ("files", 'effect = "write"\nunder = "Documents"', "an allow names its tools"),
        ("files", 'under = "Documents"', "an allow names its tools, or is for reading"),
        (
            "files",
            'tool = "write"\nargs.file = { not = { under = "Documents" } }',
            "“not” and “flags” are for",
        ),
        ("files", 'tool = "write"\nunder = "Documents"\nflags = ["many"]', "“not” and “flags” are for rules"),
    ],
)
def test_what_may_never_be_allowed_for_good_does_not_load(service: str, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=rf"{service}\.toml, line 2: .*{message}"):
        rules_of(f'[[rule]]\ndecide = "allow"\n{text}', service)


@pytest.mark.parametrize(
    ("service", "text"),
    [
        ("files", 'effect = "read"'),
        ("files", 'tool = "read"'),
        ("files", 'tool = "write"\nargs.file = { any = true }'),
        ("settings", 'tool = "set"\nargs.value = { is = "50%" }'),
        ("post", 'tool = "look"'),
    ],
)
def test_what_may_be_allowed_loads(service: str, text: str) -> None:
    assert len(rules_of(f'[[rule]]\ndecide = "allow"\n{text}', service)) == 1


def test_a_file_for_no_service_says_which_tools_it_is_for(tmp_path: Path) -> None:
    path = tmp_path / "cron.toml"
    path.write_text('[[rule]]\ntool = "files.read"\ndecide = "allow"')
    (rule,) = read_rules(path, "", TOOLS)
    assert (rule.service, rule.verb, rule.name) == ("files", "read", "cron rule 1")
    path.write_text('service = "files"\n[[rule]]\ntool = "read"\ndecide = "allow"')
    assert read_rules(path, "", TOOLS)[0].service == "files"
    for text, message in (
        ('[[rule]]\ntool = "read"\ndecide = "allow"', "line 2: say which service"),
        (
            '[[rule]]\ntool = "disk.read"\ndecide = "allow"',
            "line 2: there is no service “disk”; there are messag",
        ),
    ):
        path.write_text(text)
        with pytest.raises(ConfigError, match=message):
            read_rules(path, "", TOOLS)
