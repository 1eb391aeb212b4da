"""What init notes about the files that it was given."""
