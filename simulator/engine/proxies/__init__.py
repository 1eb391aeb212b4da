"""Proxies: which one a gRPC client's request reaches, and the route that it chooses from."""
