"""Handing messages to a mail server (RFC 5321), each at most once."""
