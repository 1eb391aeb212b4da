"""What is looked for in a whole log once its parts are read: rows that are there twice."""
