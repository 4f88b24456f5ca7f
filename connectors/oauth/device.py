"""Signing in with a code that is typed on any device with a browser (RFC 8628)."""

from dataclasses import dataclass
from typing import Final

from connectors.clean import clean_line
from connectors.oauth.asking import NoAnswer, Refused
from connectors.oauth.settings import is_safe
from connectors.oauth.tokens import Client, Tokens

_GRANT: Final = "urn:ietf:params:oauth:grant-type:device_code"
_INTERVAL: Final = 5.0
_SLOWER: Final = 5.0
_LONGEST: Final = 30 * 60.0


@dataclass(slots=True)
class DeviceSignIn:
    """A sign-in that has begun: the person types `code` at `url`, until `until` by the client's clock."""

    client: Client
    url: str
    code: str
    until: float
    interval: float
    _device: str
    _next: float = 0.0

    @property
    def wait(self) -> float:
        """How many seconds must pass before it may be asked once more."""
        return max(self._next - self.client.clock(), 0.0)

    def ask(self) -> Tokens | None:
        """The tokens, or None as long as nobody has signed in. Raises Refused, NoAnswer or SecretError."""
        if self.wait:
            return None
        if self.client.clock() >= self.until:
            raise Refused("expired_token")
        self._next = self.client.clock() + self.interval
        try:
            return self.client.ask(_GRANT, device_code=self._device)
        except Refused as refused:
            if refused.code == "slow_down":
                self.interval += _SLOWER
                self._next = self.client.clock() + self.interval
            elif refused.code != "authorization_pending":
                raise
            return None


def begin(client: Client) -> DeviceSignIn:
    """Ask for a code. Raises Refused, NoAnswer or SecretError."""
    form = {**client.named(), "scope": " ".join(client.provider.scopes)}
    answer = client.web.post(client.provider.device, form)
    device, code, url = (answer.get(each) for each in ("device_code", "user_code", "verification_uri"))
    url = url or answer.get("verification_url")
    if not (isinstance(device, str) and isinstance(code, str) and isinstance(url, str) and is_safe(url)):
        raise NoAnswer("The answer holds no code that can be used.")
    lasts = min(_seconds(answer.get("expires_in"), _LONGEST), _LONGEST)
    interval = _seconds(answer.get("interval"), _INTERVAL)
    return DeviceSignIn(
        client, clean_line(url, 200), clean_line(code, 40), client.clock() + lasts, interval, device
    )


def _seconds(said: object, usual: float) -> float:
    good = isinstance(said, int | float) and not isinstance(said, bool) and said > 0
    return float(said) if good else usual  # type: ignore[arg-type]
