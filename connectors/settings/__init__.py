"""The settings service: what this device lets a person switch and set."""
