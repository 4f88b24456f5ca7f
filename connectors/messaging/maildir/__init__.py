"""A Maildir++ mailbox on this machine: its names, its files, and an index of what they say."""
