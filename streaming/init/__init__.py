"""From what an operator has at hand to a scenario of their own cluster, every value with its evidence."""
