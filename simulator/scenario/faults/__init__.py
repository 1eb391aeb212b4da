"""What a scenario says of faults: their kinds, values and periods."""
