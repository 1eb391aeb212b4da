"""Files that Spark keeps for a query, and whether they are as it wrote them."""
