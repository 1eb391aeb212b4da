"""Kafka brokers: how to reach them, whether they answer, the jars they need, and one of our own."""
