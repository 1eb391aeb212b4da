"""The page of an experiment: verdict, arms side by side, pictures, tables."""
