"""Measures a model: on goals that people typed, and in worlds where it has to bring something about."""
