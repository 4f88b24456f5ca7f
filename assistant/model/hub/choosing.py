"""Picks the one file of a repository that was meant, or says what there is instead."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from assistant.model.hub.words import FetchError, Hub, Listing, RemoteFile, Source
from assistant.model.shelf.usable import is_part, is_picture_reader
from connectors.clean import clean_line

_MOST_NAMED = 8


def choose(listing: Listing, source: Source, hub: Hub) -> RemoteFile:
    """The file that a source means.

    An exact name goes before a pattern, and letters match whether large or small. Raises FetchError that
    names the repository's GGUF files and how to say which one.
    """
    exact = [file for file in listing.files if file.name == source.file]
    models = [file for file in listing.files if _may_be_a_model(file.name)]
    found = exact or [file for file in models if _matches(file.name, source.file)]
    if len(found) == 1:
        return found[0]
    if found:
        which = f"{source.repository} has several files like {source.file}: {_named(found)}."
    elif models:
        which = f"{source.repository} has no file like {source.file}. It has: {_named(models)}."
    elif any(file.name.casefold().endswith(".gguf") for file in listing.files):
        which = (
            f"{source.repository} has its models in parts or for pictures only, which Askfirst cannot use."
        )
    else:
        which = f"{source.repository} holds no GGUF file."
    raise FetchError(f"{which} {hint(source, hub)}")


def hint(source: Source, hub: Hub) -> str:
    """How to say where a model is to be had."""
    word = source.key.partition("-")[0]
    return (
        f"Name another: askfirst models get {source.key} --repository NAME --file FILE, or for good in "
        f"config.toml under [models.{source.key}]. Or get the file by other means and run: "
        f"askfirst models import FILE. To search: {hub.endpoint}/models?search={word}+gguf"
    )


def _may_be_a_model(name: str) -> bool:
    return name.casefold().endswith(".gguf") and not is_part(name) and not is_picture_reader(name)


def _matches(name: str, pattern: str) -> bool:
    name, pattern = name.casefold(), pattern.casefold()
    return fnmatchcase(name, pattern) or fnmatchcase(name.rpartition("/")[2], pattern)


def _named(files: Sequence[RemoteFile]) -> str:
    names = [clean_line(file.name, 80) for file in files[:_MOST_NAMED]]
    more = len(files) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")
