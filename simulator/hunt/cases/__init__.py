"""Found cases: what they are called, how likely they are, and what is proven of them."""
