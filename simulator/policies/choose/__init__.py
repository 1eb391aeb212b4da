"""Which of the queues: one file for each way to choose."""
