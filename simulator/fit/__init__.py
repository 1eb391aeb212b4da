"""A cluster fitted to measured throughput and response times of a closed loop, and what it predicts."""
