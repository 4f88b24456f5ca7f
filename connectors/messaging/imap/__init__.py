"""A mailbox on a server (IMAP, RFC 9051 and RFC 3501), with what is known of it kept on this machine."""
