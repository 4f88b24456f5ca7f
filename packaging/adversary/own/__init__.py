"""Attacks of our own over the demo world, read from files that anybody can write."""
