"""What runs have written: read, summed up, compacted."""
