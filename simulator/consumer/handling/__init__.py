"""What becomes of a message that the application could not handle: retries and dead letters."""
