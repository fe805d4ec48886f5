"""What the pages say of the rules, from the rules themselves: `python -m tools.pages` renews the tables in them."""
