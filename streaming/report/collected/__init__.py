"""What the report reads from the tables: series, facts, totals."""
