"""Finds the servers of a domain from its name alone, for every service that has servers."""

from connectors.discovery.srv import Answer, Answered, Dns, Host, Lookup, inside

__all__ = ["Answer", "Answered", "Dns", "Host", "Lookup", "inside"]
