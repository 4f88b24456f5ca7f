"""One module for each thing that can be done with files: how it is prepared, and how it is done."""
