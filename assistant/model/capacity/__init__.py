"""What a model asks of this machine, measured and advised on."""
