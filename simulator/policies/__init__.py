"""What other systems' clients decide: which queue to choose, which broker to avoid, whether and when to try again."""
