"""Every part of a rule's text becomes the part it names, and every fault is told whole, on its own line."""

from dataclasses import replace
from datetime import time
from pathlib import Path

import pytest

from connectors.base import Effect, Role
from connectors.config import ConfigError
from permissions.rule_file import read_rules, rule_faults
from permissions.rules import Hours, Links, Rule
from permissions.words import Flag, Limit, Verdict, Width
from tests.permissions.rule_texts import TOOLS, rules_of, tool

WIDTHS = """
is = ["x", "y"]
domain = ["Acme.COM", "b.org"]
under = ["Documents/notes/", "BoX"]
calendar = "home"
any = true
"""
NO_ALLOW = "“not” and “flags” are for rules that stop"


def limits(argument: str, role: Role | None = None) -> tuple[Limit, ...]:
    return (
        Limit(argument, Width.IS, ("x", "y"), role),
        Limit(argument, Width.DOMAIN, ("acme.com", "b.org"), role),
        Limit(argument, Width.UNDER, ("Documents/notes", "BoX"), role),
        Limit(argument, Width.CALENDAR, ("home",), role),
        Limit(argument, Width.ANY, (), role),
    )


class TestParts:
    def test_a_rule_has_all_that_its_text_says(self) -> None:
        (rule,) = rules_of(
            '\n[[rule]]\nname = "mine"\ntool = "write"\neffect = "write"\nat_most = 9\nmore_than = 0\n'
            'hours = " 22:00 – 07:30 "\nlinks = "from_user"\nflags = ["many", "lookalike"]\n'
            'under = ["Documents/", "Downloads"]\ncalendar = ["home", "work"]\ndecide = "ask"'
        )
        assert rule == Rule(
            "mine",
            Verdict.ASK,
            "files",
            "write",
            Effect.WRITE,
            (
                Limit("*", Width.CALENDAR, ("home", "work"), Role.TARGET),
                Limit("*", Width.UNDER, ("Documents", "Downloads")),
            ),
            (),
            9,
            0,
            Hours(time(22), time(7, 30)),
            Links.FROM_USER,
            frozenset({Flag.MANY, Flag.LOOKALIKE}),
        )
        assert rule.source == "files.toml:2"

    def test_a_rule_that_says_little_is_for_all_of_its_service(self) -> None:
        first, second = rules_of('[[rule]]\ndecide = "ask"\n\n[[rule]]\ndecide = "refuse"')
        assert first == Rule("files rule 1", Verdict.ASK, "files")
        assert second == Rule("files rule 2", Verdict.REFUSE, "files")
        assert (first.source, second.source) == ("files.toml:1", "files.toml:4")

    @pytest.mark.parametrize(
        ("table", "argument", "role"), [("args.file", "file", None), ("recipient", "*", Role.DESTINATION)]
    )
    def test_every_way_to_name_values_is_a_limit_and_after_not_a_list_to_keep_to(
        self, table: str, argument: str, role: Role | None
    ) -> None:
        text = '[[rule]]\ndecide = "ask"\n[rule.{}]\n{}'
        (rule,) = rules_of(text.format(table, WIDTHS))
        assert (rule.limits, rule.strays) == (limits(argument, role), ())
        (rule,) = rules_of(text.format(f"{table}.not", WIDTHS))
        assert (rule.limits, rule.strays) == ((), limits(argument, role))
        (rule,) = rules_of(text.format(table, 'is = "z"\nnot = { is = "w" }'))
        assert rule.limits == (Limit(argument, Width.IS, ("z",), role),)
        assert rule.strays == (Limit(argument, Width.IS, ("w",), role),)


class TestFiles:
    def test_a_file_that_is_needed_must_be_there(self, tmp_path: Path) -> None:
        path = tmp_path / "cron.toml"
        with pytest.raises(ConfigError, match=r"^cron\.toml, line 1: does not exist$"):
            read_rules(path, needed=True)
        assert read_rules(path) == ()
        path.write_text('[[rule]]\ntool = "files.read"\ndecide = "allow"')
        assert len(read_rules(path, needed=True)) == 1
        path.write_text("")
        assert read_rules(path, needed=True) == ()

    def test_without_known_tools_every_name_is_taken(self, tmp_path: Path) -> None:
        path = tmp_path / "cron.toml"
        path.write_text('[[rule]]\ntool = "no.such"\nargs.what = { is = "x" }\ndecide = "allow"')
        (rule,) = read_rules(path)
        assert (rule.service, rule.verb, rule.name) == ("no", "such", "cron rule 1")

    def test_letters_beyond_ascii_are_read_as_they_are_written(self, tmp_path: Path) -> None:
        path = tmp_path / "files.toml"
        path.write_bytes('[[rule]]\nname = "é 😀"\ndecide = "ask"'.encode())
        assert read_rules(path, "files")[0].name == "é 😀"

    def test_the_faults_of_all_files_are_told_in_the_order_of_their_names(self, tmp_path: Path) -> None:
        for name in ("post", "files", "calendar"):
            (tmp_path / f"{name}.toml").write_text('[[rule]]\ndecide = "perhaps"')
        (tmp_path / "messaging.toml").write_text('[[rule]]\ndecide = "ask"')
        (tmp_path / "disks.toml").write_text('[[rule]]\ndecide = "ask"')
        (tmp_path / "notes.txt").write_text("[[")
        starts = [fault.partition(":")[0] for fault in rule_faults(tmp_path, TOOLS)]
        assert starts == [
            f"permissions/{name}.toml, line {line}"
            for name, line in (("calendar", 2), ("disks", 1), ("files", 2), ("post", 2))
        ]
        assert rule_faults(tmp_path / "nowhere", TOOLS) == ()


class TestFaults:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            (
                'decide = "ask"\n[rule.args.file]\nis = "a"\ndomain = ["b.org", "@x"]',
                "5: “@x” is not a domain; write example.org",
            ),
            (
                'decide = "ask"\n[rule.recipient]\nis = "a"\ndomain = "x."',
                "5: “x.” is not a domain; write example.org",
            ),
            (
                'decide = "ask"\n[rule.recipient]\nis = "a"\n[rule.recipient.not]\nis = "b"\ndomain = "-"',
                "7: “-” is not a domain; write example.org",
            ),
            (
                'decide = "ask"\n[rule.args.file]\nis = "a"\nunder = ["D", "~/x"]',
                "5: “~/x” should begin with the name of a folder that may be used: Documents/notes",
            ),
            (
                'decide = "ask"\nunder = ["D", "a/./b"]',
                "3: “a/./b” should begin with the name of a folder that may be used: Documents/notes",
            ),
            (
                'decide = "ask"\nunder = "a//b"',
                "3: “a//b” should begin with the name of a folder that may be used: Documents/notes",
            ),
            (
                'decide = "ask"\nunder = "/"',
                "3: “” should begin with the name of a folder that may be used: Documents/notes",
            ),
            (
                'decide = "ask"\nargs.file = { not = { is = "a", not = { is = "b" } } }',
                "3: says nothing; write is, domain, under, calendar, any, or not once",
            ),
            (
                'decide = "ask"\nname = "x"\nrecipient = {}',
                "4: says nothing; write is, domain, under, calendar, any, or not once",
            ),
            (
                'decide = "ask"\nname = "x"\nhours = "24:00-25:00"',
                "4: “24:00-25:00” is no time of the day; write 09:00-18:00",
            ),
            (
                'decide = "ask"\nname = "x"\nhours = "9-5"',
                "4: “9-5” is no time of the day; write 09:00-18:00",
            ),
            ('decide = "ask"\ntool = "messaging.send"', "3: this file is about files, not messaging"),
            (
                'decide = "ask"\ntool = "wrote"',
                "3: files has no tool “wrote”; it has read, write, move, delete",
            ),
            (
                'decide = "ask"\nargs.file = { is = "a" }\nargs.fiel = { is = "a" }',
                "4: no such tool has an argument “fiel”",
            ),
            (
                'tool = "write"\nunder = "D"\nflags = ["many"]\ndecide = "allow"',
                f"5: an allow says what it covers; {NO_ALLOW}",
            ),
            (
                'tool = "write"\nargs.file = { is = "a", not = { is = "b" } }\ndecide = "allow"',
                f"4: an allow says what it covers; {NO_ALLOW}",
            ),
            (
                'tool = "delete"\nunder = "D"\ndecide = "allow"',
                "4: what can delete is asked for every time and cannot be allowed by a rule",
            ),
            (
                'tool = "delete"\neffect = "share"\nunder = "D"\ndecide = "allow"',
                "5: what can delete, share is asked for every time and cannot be allowed by a rule",
            ),
            (
                'under = "D"\ndecide = "allow"',
                '3: an allow names its tools, or is for reading: effect = "read"',
            ),
            (
                'tool = "write"\ndecide = "allow"',
                "3: an allow says what it covers: calendar, under, or args (args.x = { any = true })",
            ),
            (
                'tool = "write"\neffect = "read"\ndecide = "allow"',
                "4: an allow says what it covers: calendar, under, or args (args.x = { any = true })",
            ),
        ],
    )
    def test_a_fault_is_told_whole_on_its_own_line(self, text: str, told: str) -> None:
        with pytest.raises(ConfigError) as caught:
            rules_of(f"[[rule]]\n{text}")
        assert str(caught.value) == f"files.toml, line {told}"

    @pytest.mark.parametrize(
        ("service", "text", "told"),
        [
            (
                "",
                '[[rule]]\ndecide = "ask"\ntool = "read"',
                '3: say which service: files.write, or service = "files" at the top',
            ),
            (
                "",
                '[[rule]]\ndecide = "ask"\ntool = "disk.read"',
                "3: there is no service “disk”; there are messaging, files, calendar, settings, post",
            ),
            (
                "files",
                '[[rule]]\ndecide = "ask"\n[[rule]]\ndecide = "ask"\ntool = "wrote"',
                "5: files has no tool “wrote”; it has read, write, move, delete",
            ),
        ],
    )
    def test_a_fault_of_the_whole_file_is_told_too(
        self, tmp_path: Path, service: str, text: str, told: str
    ) -> None:
        path = tmp_path / "x.toml"
        path.write_text(text)
        with pytest.raises(ConfigError) as caught:
            read_rules(path, service, TOOLS)
        assert str(caught.value) == f"x.toml, line {told}"

    def test_a_file_that_is_about_another_service_says_so_where_it_says_it(self) -> None:
        with pytest.raises(ConfigError, match=r"^files\.toml, line 2: this file is about files$"):
            rules_of('\nservice = "messaging"\n[[rule]]\ndecide = "ask"')
        assert len(rules_of('service = "files"\n[[rule]]\ndecide = "ask"')) == 1

    def test_only_tools_on_offer_are_told_of_but_all_are_known(self, tmp_path: Path) -> None:
        undo = replace(tool("files.undo", Effect.WRITE), offered=False)
        tools = {"files": (tool("files.read.all", Effect.READ), tool("files.write", Effect.WRITE), undo)}
        path = tmp_path / "files.toml"
        path.write_text('[[rule]]\ndecide = "ask"\ntool = "fly"')
        with pytest.raises(ConfigError, match=r"files has no tool “fly”; it has read\.all, write$"):
            read_rules(path, "files", tools)
        path.write_text('[[rule]]\ndecide = "ask"\ntool = "undo"')
        assert read_rules(path, "files", tools)[0].verb == "undo"

    def test_an_argument_must_be_one_of_the_tool_it_is_for(self) -> None:
        assert rules_of('[[rule]]\ndecide = "ask"\nargs.what = { is = "x" }', "post")
        with pytest.raises(ConfigError, match="no such tool has an argument “what”"):
            rules_of('[[rule]]\ndecide = "ask"\ntool = "write"\nargs.what = { is = "x" }')
