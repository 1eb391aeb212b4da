"""What the RocketMQ client does when it sends: one readable unit for each behaviour class."""
