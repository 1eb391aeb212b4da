"""From measured throughput and response times to a scenario: files read, evidence written."""
