"""The log of a queue: what is stored where, and for how long it is known."""
