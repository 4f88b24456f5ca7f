"""The files service: the folders a person named, and nothing outside them."""
