"""What a scenario says of messages that become readable later: delays and transactions."""
