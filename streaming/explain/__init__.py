"""Why a message went to that queue: finding it in the tables of a run, and telling the decision."""
