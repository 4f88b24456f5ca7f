"""Where passwords and tokens come from: the keyring, a command, a private file or the environment."""
