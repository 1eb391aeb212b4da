"""What a broker does for consumers: members, offsets, pulls that arrive, are served or held."""
