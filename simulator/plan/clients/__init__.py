"""From the consumers of a scenario to the arrays that run them."""
