"""What shows that the model is right, a file a verb: golden, incidents, counterfactuals, replay --verify, --predict."""
