"""Who sends: the threads of a producer, its pools, and what waits for them."""
