"""What the consumer machine remembers: its records, and the world that has all of them."""
