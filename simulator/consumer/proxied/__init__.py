"""Consumers over gRPC: POP at the brokers, asked for by the proxy that a client hangs on."""
