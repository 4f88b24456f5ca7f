"""AgentDojo's workspace suite, carried out by the real conversation through the real gate."""
