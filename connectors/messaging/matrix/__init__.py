"""Conversations on Matrix, read and written as a mailbox is."""
