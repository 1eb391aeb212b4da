"""The page of a calibration: what was found in a trace, and how well the fitted scenario shows it."""
