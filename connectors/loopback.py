"""Is a host this very machine?"""

from ipaddress import ip_address


def is_loopback(host: str) -> bool:
    """True for this very machine, by name or address."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
