"""The messaging service: a mailbox, drafts, sending and contacts."""
