"""The commands that are about Kafka alone."""
