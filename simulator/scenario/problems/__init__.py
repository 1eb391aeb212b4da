"""What of one part of a scenario does not fit another: a sentence each, with the place of its key."""
