"""What a job writes to topics, and what becomes of it there."""
