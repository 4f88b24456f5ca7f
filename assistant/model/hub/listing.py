"""Asks a hub what a repository holds."""

import re
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

import httpx2
import huggingface_hub
import huggingface_hub.errors as hub_errors
from huggingface_hub import constants

from assistant.model.hub.answers import TOKEN_HINT, is_transient, reason, retry_after
from assistant.model.hub.aside import aside
from assistant.model.hub.choosing import hint
from assistant.model.hub.words import Again, FetchError, Hub, Listing, RemoteFile, Source

if TYPE_CHECKING:
    # Importing these for real takes as long as the rest of the start.
    from huggingface_hub import ModelInfo
    from huggingface_hub.hf_api import RepoSibling

_SECONDS = 20
_SHA256 = re.compile(r"[0-9a-f]{64}")


async def list_files(hub: Hub, source: Source) -> Listing:
    """The files of a source's repository, with sizes and SHA-256 where the hub says them.

    Raises Again where another attempt may work, and FetchError with what to do where it will not.
    """
    try:
        return _listing(await aside(partial(_ask, hub, source)), hub, source)
    except hub_errors.HFValidationError as error:
        raise FetchError(f"{source.repository} cannot be the name of a repository.") from error
    except hub_errors.RevisionNotFoundError as error:
        text = f"{source.repository} has no revision {source.revision}. {hint(source, hub)}"
        raise FetchError(text) from error
    except hub_errors.HfHubHTTPError as error:
        raise _refusal(error.response, hub, source) from error
    except (httpx2.InvalidURL, httpx2.UnsupportedProtocol, httpx2.TooManyRedirects) as error:
        raise FetchError(f"{hub.endpoint} is no address of a hub: it must be one like {_LIKE}.") from error
    except httpx2.HTTPError as error:
        raise unreachable(error, hub.host) from error
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise FetchError(f"{hub.host} answers, but not as a hub does. {_ADDRESS}") from error


def unreachable(error: httpx2.HTTPError, host: str) -> Exception:
    """What a failure of the line means."""
    said = str(error).casefold()
    if "certificate" in said:
        return FetchError(f"{host} does not prove who it is (its certificate is not valid). Nothing came.")
    if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout):
        return Again(f"{host} cannot be reached")
    if isinstance(error, httpx2.TimeoutException):
        return Again(f"nothing comes from {host} any more")
    return Again(f"the line to {host} breaks")


_LIKE = "https://huggingface.co"
_ADDRESS = "Its address is set by hub.endpoint in config.toml or by HF_ENDPOINT."


def _ask(hub: Hub, source: Source) -> "ModelInfo":
    def guard(request: httpx2.Request) -> None:
        hub.need_secure(request.url.scheme)

    # A client of this hub's own: the library's is shared, and follows any address that it is sent to.
    huggingface_hub.set_client_factory(
        lambda: httpx2.Client(follow_redirects=True, timeout=_SECONDS, event_hooks={"request": [guard]})
    )
    if constants.is_offline_mode():
        raise FetchError("HF_HUB_OFFLINE is set, so nothing is fetched from a hub.")
    token = hub.allowed_token()
    api = huggingface_hub.HfApi(endpoint=hub.endpoint, token=token or False, library_name="askfirst")
    return api.model_info(source.repository, revision=source.revision, timeout=_SECONDS, files_metadata=True)


def _refusal(response: httpx2.Response, hub: Hub, source: Source) -> Exception:
    status = response.status_code
    if is_transient(status):
        return Again(reason(status), retry_after(response.headers, datetime.now(UTC)))
    if status == 403:
        return FetchError(f"{hub.host} does not show {source.repository} to everybody. {TOKEN_HINT}")
    if status in (401, 404):
        return FetchError(
            f"{hub.host} has no repository {source.repository}, or not for everybody. {hint(source, hub)}"
        )
    return FetchError(f"{hub.host} does not list {source.repository} (status {status}). {hint(source, hub)}")


def _listing(info: "ModelInfo", hub: Hub, source: Source) -> Listing:
    if info.siblings is None:
        raise FetchError(f"{hub.host} does not say what {source.repository} holds. {_ADDRESS}")
    if not isinstance(info.sha, str | None):
        raise TypeError("the commit is no text")
    return Listing(info.sha or source.revision, tuple(_file(sibling) for sibling in info.siblings))


def _file(sibling: "RepoSibling") -> RemoteFile:
    if not isinstance(sibling.rfilename, str):
        raise TypeError("a file's name is no text")
    size = sibling.lfs.size if sibling.lfs else sibling.size
    sha256 = sibling.lfs.sha256.casefold() if sibling.lfs else ""
    known = isinstance(size, int) and size > 0
    return RemoteFile(
        sibling.rfilename, size if known else None, sha256 if _SHA256.fullmatch(sha256) else None
    )
