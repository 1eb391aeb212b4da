"""Consumer groups: who reads which queue, what an instance holds of it, and what brokers do for it."""
