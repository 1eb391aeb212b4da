"""Concurrent consumption: batches of all queues wait for any thread, and what fails is sent back to its broker."""
