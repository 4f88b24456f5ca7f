"""The model's own process: the only place where llama.cpp is loaded."""
