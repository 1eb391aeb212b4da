"""`sendlab hunt`: runs on all cores, its folder and corpus, what is printed and written."""
