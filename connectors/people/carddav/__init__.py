"""Address books on CardDAV servers (RFC 6352)."""
