"""What can be said of a scenario before it runs: how loaded its brokers and threads are, what will never happen."""
