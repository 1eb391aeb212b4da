"""Kafka at both ends of a job: records, source, sink, publishing, and a broker of its own to try it with."""
