"""What every room uses: the heap, pools of records, timetables, rows, and whose a thread and a view are."""
