"""Taking back what was done: one module for each kind of deed, all seen through `Reversal`."""
