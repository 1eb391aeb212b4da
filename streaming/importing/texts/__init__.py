"""From the bytes of a log to values: times, numbers and outcomes as logs write them."""
