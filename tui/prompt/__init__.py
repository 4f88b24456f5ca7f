"""The permission prompt: what would happen, drawn in full, and the one place where a yes is given."""
