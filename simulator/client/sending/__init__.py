"""The rules that the client asks around each attempt, synchronous and asynchronous, and what it refuses to send."""
