"""Brings one file from a hub, over any line that moves at all: what breaks off is taken up where it was."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

import httpx2

from assistant.model.hub.answers import Afresh, Asked, body_of
from assistant.model.hub.listing import unreachable
from assistant.model.hub.part import Part
from assistant.model.hub.patience import Patience
from assistant.model.hub.words import Again, FetchError, Hub
from assistant.model.shelf.gguf import MAGIC
from assistant.model.shelf.keeping import Progress

_MOST_REDIRECTS = 6
_SETTLE_EVERY = 32 << 20
_TOLD_PARTS = 500


@dataclass(frozen=True, slots=True)
class Line:
    """How files come: after how many seconds without a byte a line counts as broken, and how often it is
    tried.
    """

    silence: float = 30.0
    patience: Patience = field(default_factory=Patience)


async def download(url: str, name: str, part: Part, hub: Hub, line: Line, progress: Progress) -> None:
    """Fetch what is lacking of a file. It is not checked yet when this returns.

    `name` is what to call the file. Raises Interrupted where the line breaks for good, and FetchError where
    another attempt would end as this one did.
    """
    best, failed = part.size, 0
    async with _client(hub, line) as client:
        while not _is_whole(part):
            try:
                await _stretch(client, url, name, part, hub, progress)
                return
            except Again as again:
                if isinstance(again, Afresh):
                    part.begin_afresh()
                failed = 1 if part.size > best else failed + 1
                best = max(best, part.size)
                await line.patience.wait(failed, again, f"{name} is not here yet", _stays(part))


async def _stretch(
    client: httpx2.AsyncClient, url: str, name: str, part: Part, hub: Hub, progress: Progress
) -> None:
    """One request: from what is here to the end of the file, or to where the line breaks."""
    asked = Asked(name, part.size, part.claim.size, part.claim.etag)
    try:
        async with client.stream("GET", url, headers=_headers(part)) as response:
            body = body_of(response.status_code, response.headers, asked, datetime.now(UTC))
            if body.start == 0 and part.size:
                part.begin_afresh()
            part.name_etag(response.headers.get("etag", ""))
            await _pour(response, part, name, body.size, progress)
    except httpx2.TooManyRedirects as error:
        raise FetchError(f"{hub.host} sends from one address to the next for {name}.") from error
    except (httpx2.UnsupportedProtocol, httpx2.InvalidURL) as error:
        raise FetchError(f"{hub.host} sends to an address for {name} that cannot be used.") from error
    except httpx2.HTTPError as error:
        raise unreachable(error, hub.host) from error
    if body.size is not None and part.size < body.size:
        raise Again(f"the line to {hub.host} breaks")


async def _pour(
    response: httpx2.Response, part: Part, name: str, size: int | None, progress: Progress
) -> None:
    told, settled = part.size, part.size
    progress(part.size, size or 0)
    step = max((size or _SETTLE_EVERY) // _TOLD_PARTS, 1)
    async for data in response.aiter_raw():
        if size is not None and part.size + len(data) > size:
            raise FetchError(f"More came of {name} than the {size:,} bytes it has. It was not taken.")
        part.write(data)
        if part.size - len(data) < len(MAGIC) <= part.size:
            _check_beginning(part, name)
        if part.size - told >= step or part.size == size:
            told = part.size
            progress(part.size, size or 0)
        if part.size - settled >= _SETTLE_EVERY:
            settled = part.size
            await asyncio.to_thread(part.settle)


def _check_beginning(part: Part, name: str) -> None:
    with part.path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            part.begin_afresh()
            raise FetchError(f"What came as {name} is not a GGUF model file. It was not taken.")


def _headers(part: Part) -> dict[str, str]:
    if not part.size:
        return {}
    headers = {"Range": f"bytes={part.size}-"}
    # With a SHA-256 the end tells; without, the server must say that it is the same file still.
    if part.claim.etag and not part.claim.etag.startswith("W/") and not part.claim.sha256:
        headers["If-Range"] = part.claim.etag
    return headers


def _is_whole(part: Part) -> bool:
    return part.size > 0 and part.size == part.claim.size


def _stays(part: Part) -> str:
    if not part.size:
        return ""
    share = f"{100 * part.size / part.claim.size:.0f} % of it" if part.claim.size else "What has come"
    return f"{share} stays here, and the next attempt goes on from there."


@asynccontextmanager
async def _client(hub: Hub, line: Line) -> AsyncIterator[httpx2.AsyncClient]:
    token = hub.allowed_token()

    async def guard(request: httpx2.Request) -> None:
        hub.need_secure(request.url.scheme)

    async with httpx2.AsyncClient(
        headers={
            "User-Agent": "askfirst",
            "Accept-Encoding": "identity",
            **({"Authorization": f"Bearer {token}"} if token else {}),
        },
        follow_redirects=True,
        max_redirects=_MOST_REDIRECTS,
        timeout=httpx2.Timeout(15, read=line.silence),
        event_hooks={"request": [guard]},
    ) as client:
        yield client
