"""What a person can set about the files service."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, field_validator

from connectors.base import Effect
from connectors.clean import clean_line
from connectors.files.places import root_name_is_good
from connectors.mode import EVERYTHING, Mode, forbidden


class Config(BaseModel):
    """The settings in connectors/files.toml.

    `mode` says how much of the service may be used, `folders` maps a name to a folder that may be (none: the
    usual ones of a home folder).
    `new_files` is the name of the folder in which a new file is made when none is said (none: the first).
    `bulk_limit` is the most files that one delete may take. `hidden` lets files whose name begins with a dot
    be used when they are named exactly; they are never listed or searched. `show_limit` is in characters of
    a file's text, `size_limit` in bytes of a file that is read or changed, `index_limit` in bytes of a file's
    text that can be searched. `keep_days` is how long a change can be undone.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    mode: Mode = Mode.FULL
    folders: dict[str, Path] = Field(default_factory=dict)
    new_files: str | None = None
    bulk_limit: int = Field(100, ge=1)
    hidden: bool = False
    show_limit: int = Field(20_000, ge=200)
    size_limit: int = Field(5_000_000, ge=1_000)
    index: bool = True
    index_limit: int = Field(200_000, ge=0)
    keep_days: int = Field(30, ge=1)

    @field_validator("folders")
    @classmethod
    def _names_are_good(cls, folders: dict[str, Path]) -> dict[str, Path]:
        for name in folders:
            if not root_name_is_good(name):
                raise ValueError(
                    f"“{clean_line(name, 80)}” cannot be a folder's name: use letters, digits and spaces"
                )
        return folders


def stops(before: Config, now: Config) -> frozenset[Effect]:
    """What a change of the settings rules out at once: all, where a folder is not to be used any more."""
    usual_no_more = bool(now.folders) and not before.folders
    if usual_no_more or any(now.folders.get(name) != path for name, path in before.folders.items()):
        return EVERYTHING
    return forbidden(now.mode)
