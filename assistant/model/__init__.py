"""The local language model: what it is asked and how its answer is read."""
