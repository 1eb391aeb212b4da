"""What is remembered between micro-batches, and every table that leaves the system."""
