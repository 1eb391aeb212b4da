"""What groups have that consume in order, or pop, as the machine reads it."""
