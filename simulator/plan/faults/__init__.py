"""What faults come to that strike one place at once: lives of processes, cuts of the network, added latencies."""
