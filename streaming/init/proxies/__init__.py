"""Proxies of a cluster, from their configuration to lines of a scenario."""
