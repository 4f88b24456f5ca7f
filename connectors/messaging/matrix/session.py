"""One signed-in client of matrix-nio, on an event loop and a thread of its own."""

import asyncio
import concurrent.futures
import logging
import threading
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import aiohttp
from nio import AsyncClient, AsyncClientConfig, Response, WhoamiResponse

from connectors.base import Needs
from connectors.clean import clean_line
from connectors.messaging.errors import MailboxError
from connectors.messaging.matrix.faults import SIGN_IN, broken, refusal
from connectors.secrets.base import SecretError
from connectors.trust import tls

_T = TypeVar("_T")
_R = TypeVar("_R", bound=Response)
_SPARE: Final = 5.0
_CLOSED: Final = "Matrix is being closed."
BROKEN: Final = (aiohttp.ClientError, OSError, TimeoutError)
"""What the client raises where no answer comes."""

# The library takes some answers apart without having looked at all of their shape.
_UNUSABLE: Final = (TypeError, KeyError, ValueError, AttributeError)

# The library writes what servers say into the log, at the level of warnings.
logging.getLogger("nio").setLevel(logging.CRITICAL)


@dataclass(frozen=True, slots=True)
class Homeserver:
    """Where an account is, and as whom to sign in there; `timeout` is in seconds for each step."""

    url: str
    user: str
    timeout: float = 15.0
    authority: Path | None = None

    @property
    def host(self) -> str:
        return clean_line(urlsplit(self.url).netloc, 120)


class Attempts:
    """Counts what the HTTP library sends once more by itself where a line breaks, as it does with a PUT.

    After that a refusal says nothing of what came of the first.
    """

    def __init__(self) -> None:
        self.repeated = 0

    def watched(self) -> aiohttp.TraceConfig:
        """What the library tells it by."""
        trace = aiohttp.TraceConfig()
        trace.on_connection_create_end.append(self._went)
        trace.on_connection_reuseconn.append(self._went)
        return trace

    async def _went(self, session: object, context: Any, told: object) -> None:
        self.repeated += hasattr(context, "went")
        context.went = True


def client_for(server: Homeserver, attempts: Attempts | None = None) -> AsyncClient:
    """A client that repeats nothing by itself and encrypts nothing. Needs a running event loop."""
    config = AsyncClientConfig(
        max_limit_exceeded=0,
        max_timeouts=0,
        request_timeout=server.timeout,
        encryption_enabled=False,
        store_sync_tokens=False,
    )
    context: Any = tls(server.authority) if server.url.startswith("https:") else None
    client = AsyncClient(server.url, server.user, config=config, ssl=context)
    timeout = aiohttp.ClientTimeout(total=server.timeout)
    traces = [attempts.watched()] if attempts else []
    client.client_session = aiohttp.ClientSession(timeout=timeout, trace_configs=traces)
    return client


async def asked(answer: Awaitable[Response], wanted: type[_R], host: str) -> _R:
    """The answer of the wanted kind. Raises MailboxError."""
    try:
        got = await answer
    except BROKEN as error:
        raise broken(error, host).error from error
    except _UNUSABLE as error:
        raise MailboxError(Needs.UNAVAILABLE, f"{host} gave an unusable answer.") from error
    if isinstance(got, wanted):
        return got
    refused = refusal(got, host)
    raise refused.error if refused else MailboxError(Needs.UNAVAILABLE, f"{host} gave an unusable answer.")


class Session:
    """Runs work with the client, from any thread but its own; `secret` fetches the access token.

    Nothing is connected to before the first work, and a token is only used once it is seen to be the
    account's own.
    """

    def __init__(self, server: Homeserver, secret: Callable[[], str]) -> None:
        self.server = server
        self.attempts = Attempts()
        self._secret = secret
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._client: AsyncClient | None = None
        self._signing = asyncio.Lock()
        self._closed = False

    def run(self, work: Callable[[AsyncClient], Coroutine[Any, Any, _T]], seconds: float) -> _T:
        """The result of some work with the client. Raises MailboxError, and TimeoutError after `seconds`."""
        token = self._token()
        loop = self._running()
        future = asyncio.run_coroutine_threadsafe(self._worked(work, token, seconds), loop)
        try:
            return future.result(seconds + _SPARE)
        except concurrent.futures.CancelledError as error:
            raise MailboxError(Needs.UNAVAILABLE, _CLOSED) from error
        except (MailboxError, TimeoutError) as error:
            if isinstance(error, MailboxError) and error.needs is Needs.SIGNED_OUT:
                self._forget()
            raise
        except aiohttp.ClientError as error:
            raise broken(error, self.server.host).error from error

    def close(self) -> None:
        """Break off what is being done, and end."""
        with self._lock:
            self._closed = True
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop and thread:
            asyncio.run_coroutine_threadsafe(self._ended(), loop).add_done_callback(
                lambda _: loop.call_soon_threadsafe(loop.stop)
            )
            thread.join(_SPARE)

    def _forget(self) -> None:
        """Fetch the token anew the next time: it may be another by then."""
        client, loop, self._client = self._client, self._loop, None
        if client and loop:
            asyncio.run_coroutine_threadsafe(client.close(), loop)

    def _token(self) -> str:
        if self._client is not None:
            return ""
        try:
            return self._secret()
        except SecretError as error:
            raise MailboxError(Needs.SIGNED_OUT, str(error)) from error

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._closed:
                raise MailboxError(Needs.UNAVAILABLE, _CLOSED)
            if self._loop is None:
                self._loop = loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=_serve, args=(loop,), name="matrix", daemon=True)
                self._thread.start()
            return self._loop

    async def _worked(
        self, work: Callable[[AsyncClient], Coroutine[Any, Any, _T]], token: str, seconds: float
    ) -> _T:
        async with asyncio.timeout(seconds):
            async with self._signing:
                client = self._client or await self._signed_in(token)
            return await work(client)

    async def _signed_in(self, token: str) -> AsyncClient:
        server, client = self.server, client_for(self.server, self.attempts)
        client.access_token = token
        try:
            who = await asked(client.whoami(), WhoamiResponse, server.host)
            if who.user_id != server.user:
                other, wanted = clean_line(who.user_id, 80), clean_line(server.user, 80)
                text = f"The access token at {server.host} is that of {other}, not of {wanted}. {SIGN_IN}"
                raise MailboxError(Needs.SIGNED_OUT, text)
        except BaseException:
            await client.close()
            raise
        client.user_id, client.user, client.device_id = server.user, server.user, who.device_id or ""
        self._client = client
        return client

    async def _ended(self) -> None:
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        if self._client:
            await self._client.close()
        self._client = None


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.close()
