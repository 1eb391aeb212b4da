"""Transactions: half messages at their broker, what ends them, and the checks of those that nothing has ended."""
