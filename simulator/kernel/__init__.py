"""What the event loops of producers and of consumers are both made of: an event heap, pools, tables of rows."""
