"""The models on this machine: which are known, how they come here, and which can be used."""
