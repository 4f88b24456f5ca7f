"""What may be set for the mailbox."""

from pydantic import BaseModel, ConfigDict, Field, field_validator

from connectors.people import is_address


class Config(BaseModel):
    """`connectors/messaging.toml`.

    `name` and `address` are what the person's own messages are from; without an address nothing can be sent.
    `most_messages` and `most_bytes` are the mailbox's quota, the trash not counted (None: no quota).
    `send_timeout` is in seconds.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = ""
    address: str = ""
    most_messages: int | None = Field(None, ge=1)
    most_bytes: int | None = Field(None, ge=1)
    send_timeout: float = Field(25.0, gt=0)

    @field_validator("address")
    @classmethod
    def _address_is_one(cls, value: str) -> str:
        if value and not is_address(value):
            raise ValueError("must be an e-mail address in plain letters, such as you@example.org")
        return value

    @field_validator("name")
    @classmethod
    def _name_is_a_line(cls, value: str) -> str:
        if not value.isprintable():
            raise ValueError("must be one line without control characters")
        return value
