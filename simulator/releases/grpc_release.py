"""The releases of the gRPC client: those of rocketmq-client-java that were published.

Source: Maven Central, org.apache.rocketmq:rocketmq-client-java.
"""

from __future__ import annotations

GRPC_RELEASES = ("5.0.0", "5.0.1", "5.0.2", "5.0.3", "5.0.4", "5.0.5", "5.0.6", "5.0.7", "5.0.8")
NEWEST_GRPC = GRPC_RELEASES[-1]
