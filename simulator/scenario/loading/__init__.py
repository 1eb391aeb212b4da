"""From a file, with what it names and what is set from outside, to a checked scenario."""
