"""What is measured of a run beyond counts: backlogs of consumer groups, recoveries, and what becomes readable later."""
