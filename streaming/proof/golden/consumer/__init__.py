"""Comparing the rules of consumers and their brokers with what the real classes did."""
