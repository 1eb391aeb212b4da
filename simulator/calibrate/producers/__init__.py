"""Who sends: groups of producers, their threads and rates, and what happens while a thread is blocked."""
