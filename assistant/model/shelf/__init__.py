"""The models on this machine: which are known, how they come here, what their files say, and which can be used."""
