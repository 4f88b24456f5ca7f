"""The conversation: from a typed goal to calls and their results."""
