"""What a person may set about models and the hub they come from, in `config.toml`."""

import re
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator

from assistant.model.shelf.tuning import Tuning
from connectors.secrets.settings import SecretSource

KEY = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*")
_TUNED = set(Tuning.__dataclass_fields__)


class ModelSettings(BaseModel):
    """`[models.KEY]`: where a model comes from, and how it is asked. The rest is as the catalogue says.

    `repository` is one such as `qvac/BotPsy-0.8B-GGUF`, `file` the name or a pattern of a file in it,
    `revision` a branch, tag or commit. `thinking` lets the model reason first, for at most `thoughts` tokens
    (0: without limit); `context` is how many tokens it keeps in view. The rest is how its tokens are chosen.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    repository: str | None = None
    file: str | None = Field(default=None, min_length=1)
    revision: str | None = Field(default=None, min_length=1)
    thinking: bool | None = None
    thoughts: int | None = Field(default=None, ge=0)
    context: int | None = Field(default=None, ge=1024)
    temperature: float | None = Field(default=None, ge=0, le=2)
    top_k: int | None = Field(default=None, ge=0)
    top_p: float | None = Field(default=None, gt=0, le=1)
    min_p: float | None = Field(default=None, ge=0, le=1)
    presence: float | None = Field(default=None, ge=-2, le=2)

    @field_validator("repository")
    @classmethod
    def _repository_has_an_owner(cls, value: str | None) -> str | None:
        if value is not None and not _REPOSITORY.fullmatch(value):
            raise ValueError("must be an owner and a name, such as qvac/BotPsy-0.8B-GGUF")
        return value

    @property
    def tuning(self) -> Tuning:
        """How the model is asked, as far as it is set here."""
        return Tuning(**self.model_dump(include=_TUNED))


class HubSettings(BaseModel):
    """`[hub]`: the hub that models come from. `endpoint` is its address (left out: HF_ENDPOINT, or else
    https://huggingface.co), `token` says where the token for it is (left out: HF_TOKEN, or else where secrets
    are looked for).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    endpoint: str | None = None
    token: SecretSource | None = None

    @field_validator("endpoint")
    @classmethod
    def _endpoint_is_an_address(cls, value: str | None) -> str | None:
        if value is not None and not is_address(value):
            raise ValueError("must be an address such as https://huggingface.co")
        return value.rstrip("/") if value else value


def is_address(text: str) -> bool:
    """True for an address that files can come from."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False
