"""The consumer machine: its memory, its events in their order, what it puts out."""
