"""Invitations that come as iCalendar files (RFC 5546, RFC 6047): put in, brought up to date, cancelled."""
