"""What every room above uses: the heap, rows that are put out, the queues that instances hold."""
