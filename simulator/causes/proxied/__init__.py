"""What can be a cause where clients send and receive over proxies."""
