"""May this call run? Policy, grants, tickets, the gate and the journal."""
