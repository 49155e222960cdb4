"""A student workspace on disk, and what is remembered of it."""
