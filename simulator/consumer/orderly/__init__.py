"""Orderly consumption: queues are locked at their brokers, and one thread at a time is at a queue."""
