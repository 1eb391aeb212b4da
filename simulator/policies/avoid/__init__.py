"""Which brokers to leave out: one file for each way to avoid."""
