"""The concrete services: how each is built, over the person's own or over a throw-away world."""
