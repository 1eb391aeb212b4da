"""What each release of RocketMQ does: producer, consumer, broker and name server, a file each.

A field has one value up to a release and another one since. Nothing outside this folder compares releases.
"""
