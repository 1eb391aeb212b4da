"""A run in one process, without Spark."""
