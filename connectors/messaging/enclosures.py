"""The files that go along with a message: found by words, shown in full, and read only as they were shown."""

from collections.abc import Mapping, Sequence
from zoneinfo import ZoneInfo

from pydantic import JsonValue

from connectors.base import Effect, Field, Needs, Outcome, Question, Resolved, Role, failed
from connectors.lending import FileFinder, Lent
from connectors.messaging import describe
from connectors.messaging.mime.enclose import Enclosed, enclose

ARGUMENT = "attachments"


def found(
    finder: FileFinder, words: Sequence[str], most: int, zone: ZoneInfo
) -> tuple[Lent, ...] | Question | Outcome:
    """The files that these words mean, each once, or a question about the first that is not clear.

    Its options hold the whole list with that one made exact; together the files have at most `most` bytes.
    """
    wanted = [each.strip() for each in words if each.strip()]
    files: dict[str, Lent] = {}
    for place, said in enumerate(wanted):
        lent = finder.find(said, most, ARGUMENT, zone)
        if isinstance(lent, Question):
            return _whole(lent, wanted, place)
        if isinstance(lent, Outcome):
            return lent
        files.setdefault(lent.handle, lent)
    together = sum(each.size for each in files.values())
    if together > most:
        have, can = describe.in_bytes(together), describe.in_bytes(most)
        return failed(Needs.INVALID, f"The files have {have} together, and at most {can} go along.")
    return tuple(files.values())


def fields(files: Sequence[Lent]) -> tuple[Field, ...]:
    """A line for each file that is carried out: its whole path, what it is, its size and its last change."""
    return tuple(
        Field("Carries", each.path, ARGUMENT, f"{each.kind}, {_size(each)}, changed {each.changed}")
        for each in files
    )


def resolved(files: Sequence[Lent]) -> tuple[Resolved, ...]:
    return tuple(Resolved(Role.TARGET, ARGUMENT, each.handle, each.name) for each in files)


def effects(files: Sequence[Lent]) -> frozenset[Effect]:
    """A file that goes along with a message is shared."""
    return frozenset({Effect.SHARE}) if files else frozenset()


def warnings(files: Sequence[Lent]) -> tuple[str, ...]:
    return tuple(text for each in files for text in each.warnings)


def packed(files: Sequence[Lent]) -> list[JsonValue]:
    """The files as JSON values: where they are and which bytes are meant, but none of these."""
    return [
        {
            "handle": each.handle,
            "name": each.name,
            "media": each.media,
            "size": each.size,
            "digest": each.digest,
        }
        for each in files
    ]


def filled(payload: Mapping[str, JsonValue], finder: FileFinder) -> bytes | Outcome:
    """The message of a payload with its files in it, or why one is not what was shown. May raise OSError."""
    message = str(payload["message"]).encode("ascii")
    enclosed = []
    for lent in unpacked(payload):
        data = finder.read(lent)
        if isinstance(data, Outcome):
            return data
        enclosed.append(Enclosed(lent.name, lent.media, data))
    return enclose(message, enclosed)


def unpacked(payload: Mapping[str, JsonValue]) -> list[Lent]:
    """The files that `packed` kept."""
    kept = payload.get("files")
    rows = [each for each in kept if isinstance(each, dict)] if isinstance(kept, list) else []
    return [
        Lent(
            handle=str(row["handle"]),
            name=str(row["name"]),
            path="",
            kind="",
            media=str(row["media"]),
            size=int(str(row["size"])),
            digest=str(row["digest"]),
            changed="",
        )
        for row in rows
    ]


def _whole(question: Question, wanted: Sequence[str], place: int) -> Question:
    """The question about one file, with options that hold all of them."""
    options = []
    for option in question.options:
        everything: list[JsonValue] = [*wanted[:place], option.arguments[ARGUMENT], *wanted[place + 1 :]]
        options.append(type(option)(option.label, {ARGUMENT: everything}, option.detail))
    # A typed answer stands for the whole argument, so it is only offered for a single file.
    return Question(question.text, tuple(options), question.argument if len(wanted) == 1 else "")


def _size(lent: Lent) -> str:
    return describe.in_bytes(lent.size)
