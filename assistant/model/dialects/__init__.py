"""How model families are prompted and how their output is read."""
