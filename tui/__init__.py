"""What a person sees: the Textual app and the plain command line."""
