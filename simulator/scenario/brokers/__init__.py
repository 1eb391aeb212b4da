"""A broker as a user writes it: how long it takes to store, what it keeps, what its release decides."""
