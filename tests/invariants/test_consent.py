"""Consent: what a person said yes to is what is done, however the world moves meanwhile."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import closing
from email import message_from_bytes
from pathlib import Path

import pytest

from assistant.model.base import Wish
from permissions.words import Decision, Request
from tests.invariants.world import Agreeing, World


class Overtaken(Agreeing):
    """Says yes each time, but before the yes arrives something else has changed what it is about."""

    def __init__(self, change: Callable[[int], None], times: int) -> None:
        super().__init__()
        self._change = change
        self._times = times

    async def ask(self, requests: Sequence[Request]) -> Sequence[Decision]:
        answers = await super().ask(requests)
        if len(self.asked) <= self._times:
            self._change(len(self.asked))
        return answers


def rewrite(path: Path) -> Callable[[int], None]:
    """Another program writes the same place, something else each time."""
    text = path.read_text("utf-8")

    def write(number: int) -> None:
        path.write_text(f"{text}changed by another {number}\n", "utf-8")

    return write


@pytest.mark.parametrize("times", [0, 1, 2, 99])
def test_a_file_that_another_changes_before_the_yes_arrives_is_shown_anew_or_left_alone(
    new_folder: Callable[[], Path], times: int
) -> None:
    """Invariant 27: the effect acts on the version that was approved, or it is refused and asked anew."""
    with closing(World(new_folder())) as world:
        path = world.places.data / "files" / "Documents" / "packing list.txt"
        wish = Wish("files.write", {"file": "packing list.txt", "text": "umbrella", "add": True})
        person = Overtaken(rewrite(path), times)
        asyncio.run(world.run(person, ["add umbrella to packing list.txt"], [wish]))
        done = path.read_text("utf-8")
        assert ("umbrella" in done) == (times < 99)
        assert len(person.asked) == (times + 1 if times < 99 else len(person.asked))
        if times < 99:
            kept = done.replace("umbrella", "").split()
            shown = person.asked[-1].prepared.preview
            assert all(word in f"{shown.body} {shown.diff}" or times == 0 for word in kept[-4:])


@pytest.mark.parametrize("times", [1, 2])
def test_an_event_that_another_changes_before_the_yes_arrives_is_not_written_over(
    new_folder: Callable[[], Path], times: int
) -> None:
    """Invariant 27: what another program wrote meanwhile is never lost."""
    with closing(World(new_folder())) as world:
        path = world.places.data / "calendar" / "home" / "dentist.ics"
        before = path.read_text("utf-8")

        def rename(number: int) -> None:
            path.write_text(before.replace("SUMMARY:Dentist", f"SUMMARY:Dentist {number}"), "utf-8")

        wish = Wish("calendar.change_event", {"event": "Dentist", "when": "Friday at 4pm"})
        person = Overtaken(rename, times)
        asyncio.run(world.run(person, ["move the dentist to Friday at 4pm"], [wish]))
        after = path.read_text("utf-8")
        assert f"SUMMARY:Dentist {times}" in after
        if "T160000" in after:
            assert f"Dentist {times}" in repr(person.asked[-1].prepared.preview)
            assert len(person.asked) == times + 1


@pytest.mark.parametrize("times", [0, 1, 99])
def test_a_file_that_another_changes_before_the_yes_arrives_goes_along_only_as_it_was_shown(
    new_folder: Callable[[], Path], times: int
) -> None:
    """Invariant 27: what leaves with a message are the very bytes that were looked at for the yes."""
    with closing(World(new_folder())) as world:
        for full in list((world.places.data / "mail").glob("*/*,*"))[:2]:
            full.unlink()
        path = world.places.data / "files" / "Documents" / "packing list.txt"
        seen = [path.read_bytes()]

        def change(number: int) -> None:
            rewrite(path)(number)
            seen.append(path.read_bytes())

        arguments = {"to": ["Ana Ruiz"], "body": "Here it is.", "attachments": ["packing list.txt"]}
        person = Overtaken(change, times)
        goal = "send packing list.txt to Ana Ruiz and say Here it is."
        asyncio.run(world.run(person, [goal], [Wish("messaging.send", arguments)]))
        arrived = [file.read_bytes() for file in (world.places.data / "post office").rglob("new/*")]
        assert len(arrived) == (0 if times == 99 else 1)
        for message in map(message_from_bytes, arrived):
            (_, carried) = message.get_payload()
            assert carried.get_payload(decode=True) == seen[-1]
