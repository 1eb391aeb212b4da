"""Replay of recordings of other systems' clients: one file for each library."""
