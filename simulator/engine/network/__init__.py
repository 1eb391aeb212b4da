"""Between clients and brokers: connections, requests, routes and the detector's probes."""
