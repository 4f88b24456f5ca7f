"""Speaks WebDAV with servers that keep calendars (CalDAV) or address books (CardDAV), for either service."""
