"""The services Askfirst can act on."""
