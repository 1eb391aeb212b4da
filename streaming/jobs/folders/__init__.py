"""The folders of a job: its checkpoint, its output, and who holds them."""
