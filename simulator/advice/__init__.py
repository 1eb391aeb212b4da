"""Which settings of its client a producer team should change: candidates, situations, and who is beaten by whom."""
