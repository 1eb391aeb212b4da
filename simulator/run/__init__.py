"""A run of a plan: cells, their arrivals, their stored state, and a whole run in this process."""
