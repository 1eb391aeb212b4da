"""What no run may break, whatever the scenario: looked for in its rows, apart from the rules that made them."""
