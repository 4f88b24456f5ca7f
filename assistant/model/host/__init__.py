"""The process that a model runs in, as the rest of the program sees it."""
