"""Documentation generated from the rules of the variants."""
