"""The tables of a summary beside those of brokers and groups, and how numbers stand in all of them."""
