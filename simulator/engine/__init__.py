"""The event loop: producers, sender threads and brokers of one cell in virtual time, in total order."""
