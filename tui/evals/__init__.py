"""Measuring from the command line: worlds in folders, and the reports."""
