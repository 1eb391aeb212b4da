"""What lies in an output folder, and what it adds up to."""
