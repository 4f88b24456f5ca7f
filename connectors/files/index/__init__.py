"""The index of names and texts: built and kept fresh in the background, never needed for a right answer."""
