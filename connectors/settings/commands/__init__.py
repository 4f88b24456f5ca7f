"""Devices whose settings are read and changed by the commands of their system."""
