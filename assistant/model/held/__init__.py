"""Keeps the calls in an answer of a chat model to the tools there are: what may come next, byte by byte."""
