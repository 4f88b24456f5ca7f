"""Which file is meant, and where something new goes."""
