"""Recordings of gRPC producers behind proxies: what is measured of them, and predicted."""
