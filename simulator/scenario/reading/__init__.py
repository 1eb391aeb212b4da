"""From a YAML text to a checked scenario, or to one sentence that says what is wrong where."""
