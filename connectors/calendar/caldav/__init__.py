"""Calendars on CalDAV servers (RFC 4791), kept in a mirror on this machine that is read from."""
