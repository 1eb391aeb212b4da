"""POP consumption: one pop a broker in place of queues, and every message acknowledged by itself."""
