"""Delayed messages at a broker: SCHEDULE_TOPIC_XXXX, a queue for each delay level, and who delivers them when."""
