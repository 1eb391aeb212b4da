"""How the instances of a group share the queues of a topic: a strategy a file."""
