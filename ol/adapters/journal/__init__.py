"""Journals on disk."""
