"""Finds the mail servers of an address from the address alone."""
