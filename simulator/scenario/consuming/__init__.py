"""Consumer groups as a user writes them: what they read, how they share it, what their clients are set to."""
