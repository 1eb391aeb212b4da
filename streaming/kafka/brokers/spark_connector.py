"""What a Spark session needs for Kafka."""

from __future__ import annotations

from collections.abc import Mapping

from streaming.spark.jars import CONNECTOR, jars


def with_connector() -> Mapping[str, str]:
    """The connector's jars, and no login in what Spark prints of a plan. Raises EnvironmentProblem."""
    return {
        "spark.jars": ",".join(map(str, jars(CONNECTOR))),
        "spark.sql.redaction.options.regex": "(?i)url|password|jaas",
    }
