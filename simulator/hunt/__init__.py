"""The search for schedules of faults under which a scenario misses its objectives: what may happen, what is tried next,
how a found schedule is made small, and what it is called.
"""
