"""Columns that name a queue, and whoever reads it."""

from __future__ import annotations

LOG = ("cell", "topic", "broker", "queue_id")
QUEUE = (*LOG, "consumer_group")
READER = (*QUEUE, "instance")  # an instance where each reads everything
