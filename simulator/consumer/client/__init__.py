"""The client of an instance: its life, its rounds of balancing, its pulls, the queues that it lets go."""
