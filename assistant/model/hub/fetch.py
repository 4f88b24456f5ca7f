"""Fetches a model: finds its file on a hub, brings it, checks it, and only then puts it among the models."""

import asyncio
from dataclasses import replace
from pathlib import Path

import huggingface_hub

from assistant.model.base import ModelUnusable
from assistant.model.hub.aside import aside
from assistant.model.hub.choosing import choose
from assistant.model.hub.download import Line, download
from assistant.model.hub.listing import list_files
from assistant.model.hub.part import Claim, Part
from assistant.model.hub.words import FetchError, Hub, Interrupted, RemoteFile, Source
from assistant.model.shelf.catalogue import Installed, add, installed, models_folder
from assistant.model.shelf.keeping import Progress, need_room, no_progress
from assistant.model.shelf.usable import Usable, judged
from connectors.clean import clean_line

_LIST_TRIES = 4
_SPARE = 64 << 20
"""How many bytes more than the model's must be free."""


async def fetch_model(
    source: Source, hub: Hub, cache: Path, progress: Progress = no_progress, line: Line | None = None
) -> Installed:
    """Bring a model into the cache, unless this very file is there, and return it.

    With the hub out of reach, a model that is here is good enough.

    `progress` hears of its bytes. Cancelled, or with the line broken, what has come stays for the next time.
    Raises FetchError, or ModelUnusable where the file is whole but cannot be used.
    """
    line = line or Line()
    # A keyring may ask the person first, and nothing else must stand still meanwhile.
    token = await aside(hub.allowed_token)
    hub = replace(hub, token=lambda: token)
    brief = replace(line.patience, tries=min(line.patience.tries, _LIST_TRIES))
    here = next((model for model in installed(cache) if model.key == source.key), None)
    try:
        listing = await brief.over(lambda: list_files(hub, source), f"{source.key} is not here yet")
    except Interrupted:
        if here:
            return here
        raise
    remote = choose(listing, source, hub)
    claim = Claim(source.repository, remote.name, listing.commit, remote.size, remote.sha256)
    if here and remote.sha256 == here.sha256:
        return here
    target = models_folder(cache) / f"{source.key}.gguf"
    need_room(target, 0)
    with Part(target, claim) as part:
        need_room(target, (remote.size or 0) - part.size + _SPARE)
        await _bring(_url(source, remote, listing.commit, hub), part, hub, line, progress)
        name = clean_line(remote.name.rpartition("/")[2], 80)
        usable, sha256 = await _checked(part, name)
        return _placed(cache, source.key, part, usable, sha256)


async def _bring(url: str, part: Part, hub: Hub, line: Line, progress: Progress) -> None:
    """Fetch the file; if it is wrong and had an earlier part, once more from its beginning."""
    name = clean_line(part.claim.file.rpartition("/")[2], 80)
    taken_up = part.size > 0
    for _ in range(2):
        await download(url, name, part, hub, line, progress)
        if await _is_right(part):
            return
        part.begin_afresh()
        if not taken_up:
            break
        taken_up = False
    raise FetchError(
        f"{name} came damaged: its SHA-256 is not the one that {hub.host} says. It was not taken. "
        "Get it again."
    )


async def _is_right(part: Part) -> bool:
    wanted = part.claim.sha256
    return wanted is None or await asyncio.to_thread(part.sha256, no_progress) == wanted


async def _checked(part: Part, name: str) -> tuple[Usable, str]:
    try:
        usable = await asyncio.to_thread(judged, part.path, name)
    except ModelUnusable:
        part.discard()
        raise
    sha256 = part.claim.sha256
    return usable, await asyncio.to_thread(part.sha256, no_progress) if sha256 is None else sha256


def _placed(cache: Path, key: str, part: Part, usable: Usable, sha256: str) -> Installed:
    claim = part.claim
    origin = f"{claim.repository}@{claim.commit}/{claim.file}"
    # An older note must not vouch for the new file, not even for a moment.
    (models_folder(cache) / f"{key}.json").unlink(missing_ok=True)
    part.put_in_place()
    model = Installed(key, usable.title, f"{key}.gguf", part.size, sha256, usable.dialect, origin)
    add(cache, model)
    return model


def _url(source: Source, remote: RemoteFile, commit: str, hub: Hub) -> str:
    return huggingface_hub.hf_hub_url(source.repository, remote.name, revision=commit, endpoint=hub.endpoint)
