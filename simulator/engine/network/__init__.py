"""Between clients and brokers: connections, requests, answers and the detector's probes."""
