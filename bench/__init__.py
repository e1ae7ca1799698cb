"""How fast Cadogan is, and whether a change has changed the search."""
