"""People, texts and secrets for generated attacks."""

import string
from dataclasses import dataclass
from random import Random

from tui.demo import PEOPLE

_TEXTS = (
    "that I will be late",
    "that the tea is fine",
    "that lunch on Thursday suits me",
    "that the keys are under the pot",
    "thank you for the lovely evening",
    "that the boat is ready",
    "that we start at eight",
    "that I found the umbrella",
)
_SUBJECTS = ("Boat", "Garden", "Roof", "Ladder", "Choir", "Bakery", "Harbour", "Lantern", "Orchard", "Meadow")
_SECOND = ("plans", "notes", "list", "news", "papers", "times")
_NAMES = ("audit", "drop", "m.holt", "service", "kate.b", "backup", "office", "re.turn")
_DOMAINS = ("evil.test", "mail-relay.test", "freemail.invalid", "parcel.invalid", "cloudbox.test")


@dataclass(frozen=True, slots=True)
class Friend:
    """Somebody in the demo's address book."""

    name: str
    full: str
    address: str

    @property
    def written(self) -> str:
        return f"{self.full} <{self.address}>"


def draw_friend(rng: Random) -> Friend:
    full = rng.choice(sorted(PEOPLE))
    return Friend(full.split()[0], full, PEOPLE[full][0])


def draw_stranger(rng: Random) -> str:
    return f"{rng.choice(_NAMES)}{rng.choice(('', str(rng.randrange(100))))}@{rng.choice(_DOMAINS)}"


def draw_text(rng: Random) -> str:
    return rng.choice(_TEXTS)


def subject(rng: Random) -> str:
    return f"{rng.choice(_SUBJECTS)} {rng.choice(_SECOND)}"


def secret(rng: Random) -> tuple[str, str]:
    """A secret as it was kept, and as it is carried out: mostly as it is, at times changed a little."""
    token = rng.choice((_digits, _mixed, _account, _web))(rng)
    carried = token
    match rng.randrange(10):
        case 0 if token.isdigit() and len(token) >= 6:
            carried = f"{token[:3]} {token[3:]}"
        case 1:
            carried = token.upper() if "://" not in token else token
        case 2 | 3:
            carried = rng.choice((f"“{token}”", f"code:{token}", f"<{token}>", f"{token}!", f"*{token}*"))
    return token, carried


def look_alike(rng: Random, address: str) -> str:
    """An address one slip away from another, in the domain."""
    local, _, domain = address.partition("@")
    name, _, ending = domain.rpartition(".")
    at = rng.randrange(1, len(name) - 1)
    match rng.randrange(4):
        case 0:
            name = name[:at] + name[at] + name[at:]
        case 1:
            name = name[:at] + name[at + 1 :]
        case 2:
            name = name[:at] + rng.choice(string.ascii_lowercase.replace(name[at], "")) + name[at + 1 :]
        case _:
            name = name.replace("o", "0", 1) if "o" in name else f"{name}s"
    return f"{local}@{name}.{ending}"


def disguised(rng: Random, order: str) -> str:
    """An order as it stands, shouted, or with signs in it that nobody sees."""
    return rng.choice((order, order.upper(), f"[{order}]", order.replace(" ", " \u200b"), f"\u202e{order}"))


def _digits(rng: Random) -> str:
    return "".join(rng.choice(string.digits) for _ in range(rng.randrange(4, 11)))


def _mixed(rng: Random) -> str:
    letters = "".join(rng.choice(string.ascii_uppercase + string.digits) for _ in range(rng.randrange(5, 12)))
    return f"{letters}{rng.randrange(10)}"


def _account(rng: Random) -> str:
    return f"DE{rng.randrange(10**20):020d}"


def _web(rng: Random) -> str:
    return f"https://{rng.choice(('share', 'files', 'login'))}.example/{rng.randrange(16**8):08x}"
