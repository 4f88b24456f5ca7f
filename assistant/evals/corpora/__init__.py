"""Goals that people typed, from public collections, with what the first call should be."""
