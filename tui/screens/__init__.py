"""The screens: the conversation, and what can be laid over it."""
