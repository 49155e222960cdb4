"""The course on disk."""
