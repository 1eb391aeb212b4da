"""The steps of a message, synchronous and asynchronous, in the order in which the client takes them."""
