"""Which queue the client chooses: one unit for each behaviour class, and what they share."""
