"""Where Askfirst keeps its files, by the XDG rules, each folder for its owner only."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import platformdirs

_APP = "askfirst"


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of one Askfirst: settings, state (journal, trash), data and what can be made anew."""

    config: Path
    state: Path
    data: Path
    cache: Path

    def make(self) -> None:
        """Make the folders, mode 0700. Raises OSError."""
        for folder in (self.config, self.config / "connectors", self.state, self.data, self.cache):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def below(home: Path, cache: Path | None = None) -> Places:
    """All folders below one, with a cache of its own unless one is given."""
    return Places(home / "config", home / "state", home / "data", cache or home / "cache")


@contextmanager
def throw_away(cache: Path) -> Iterator[Places]:
    """Folders that are gone afterwards, but for the cache."""
    with tempfile.TemporaryDirectory(prefix="askfirst-", ignore_cleanup_errors=True) as folder:
        places = below(Path(folder), cache)
        places.make()
        yield places


def usual() -> Places:
    """The person's folders; `ASKFIRST_HOME` puts all below one folder, `ASKFIRST_CACHE` moves the cache."""
    named = os.environ.get("ASKFIRST_CACHE")
    cache = Path(named) if named else platformdirs.user_cache_path(_APP)
    if home := os.environ.get("ASKFIRST_HOME"):
        return below(Path(home), cache if named else None)
    return Places(
        platformdirs.user_config_path(_APP),
        platformdirs.user_state_path(_APP),
        platformdirs.user_data_path(_APP),
        cache,
    )
