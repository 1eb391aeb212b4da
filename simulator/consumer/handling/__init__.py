"""Consume threads and what they do: messages handled, sent back, swept, counted."""
