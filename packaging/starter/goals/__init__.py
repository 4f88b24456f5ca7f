"""Goals a person could type, with the calls they mean: generated, and taken from hwu64."""
