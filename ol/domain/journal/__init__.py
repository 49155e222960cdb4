"""The red-then-green journal: entries, chains, histories, and what is asked of them."""
