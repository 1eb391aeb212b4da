"""Why a queue was chosen: a run is done again up to the decision, which is then looked at in plain Python."""
