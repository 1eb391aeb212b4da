"""Recordings in pairs: from one of them alone, what the other shows."""
